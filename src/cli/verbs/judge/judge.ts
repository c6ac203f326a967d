import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import {
  type CollectedRun,
  command,
  type Invocation,
  type Means,
} from "../../command-line/command.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { hostingAsGiven } from "../../models/hosting.js";
import { checkShares } from "../calibrate/calibrate-arguments.js";
import { kindOf } from "../calibrate/judge-asking.js";
import { readItems } from "../calibrate/judged-table.js";
import { openItems } from "../calibrate/open-items.js";
import { collect } from "../run/collect.js";
import { budgetOf } from "../run/limits.js";
import { checkEndings, checkedFiles, judgeArguments } from "./judge-arguments.js";
import { type ItemsToJudge, itemsToJudge, unjudgedItems } from "./judge-items.js";
import { peoplesLine, resultLine, reviewLine } from "./judged-items.js";
import { saveResults } from "./save-results.js";
import { approximationOf, certificateOf, readJudge } from "./saved-judge.js";
import { showJudged } from "./show-judged.js";
import { refuseDrifted, verificationText, verifyJudge } from "./verify-judge.js";

export default command({
  description:
    "Judges pairs of images, yes-or-no questions or ratings with a judge that calibrate " +
    "saved for that task. Confident verdicts go to --out, the rest to --review for people; " +
    "their answers (in preferred, answer or rating) go back with calibrate --add. The " +
    "calibration sets the confidence threshold: at most --target-error of the confident " +
    "verdicts are wrong. Prompts are asked one by one and stop when no further answer can " +
    "change the verdict. A rating has the probability of each value, the expected rating, " +
    "and the range that holds 95 % of the probability (2.5 % on either side).",
  examples: [
    "touchstone judge pairs.csv --judge judge.json --target-error 0.05",
    "touchstone judge pairs.csv --judge judge.json --approximate --out results.jsonl --review review.jsonl",
  ],
  arguments: judgeArguments,
  async run(invocation) {
    const budget = budgetOf(invocation.given);
    const { asking, conclude, verified } = await prepare(invocation, { budget });
    await verified();
    await conclude(asking && (await collect(asking.steps, asking.asked)));
  },
  async make(invocation, means) {
    const { asking, conclude } = await prepare(invocation, means);
    return { ...asking, callsAtOnce: asking?.asked.callsAtOnce ?? 0, conclude };
  },
});

/**
 * Reads a judge and its items: what is asked, and what is made of the answers.
 *
 * @returns `asking` undefined where nothing is to be asked.
 */
async function prepare(
  invocation: Invocation<typeof judgeArguments>,
  { budget, hosting: shared }: Partial<Means> & Pick<Means, "budget">,
): Promise<{
  readonly asking: ItemsToJudge | undefined;
  /** Verifies the judge, if that was asked for. @throws GateError where it has drifted. */
  verified(): Promise<void>;
  conclude(collected: CollectedRun | undefined): Promise<void>;
}> {
  const { given, environment, output } = invocation;
  const { workingDirectory } = environment;
  const { approximate, out } = given;
  checkEndings(given);
  if (approximate && given["every-prompt"]) {
    throw new InputError("Expected one of --approximate and --every-prompt but received both");
  }
  const { settings } = await loadConfiguration(environment);
  const { judges = {} } = settings;
  const named = Object.hasOwn(judges, given.judge) ? judges[given.judge] : undefined;
  const judgeFile = named ?? given.judge;
  const judge = await readJudge(judgeFile, environment);
  const { own, review } = await checkedFiles(given, judge, environment);
  const wanted = {
    target: given["target-error"] ?? judge.certification.target,
    confidence: given.confidence ?? judge.certification.confidence,
  };
  checkShares({ "target-error": wanted.target, confidence: wanted.confidence });
  const { task } = judge;
  const kind = kindOf(judge);
  const least = kind.leastConfidence;
  if (given.threshold !== undefined && !(given.threshold >= least && given.threshold <= 1)) {
    throw new InputError(
      `Expected a number from ${least} to 1 for --threshold but received ${given.threshold}`,
    );
  }
  const forecast = approximate ? approximationOf(judge) : undefined;
  const certificate = certificateOf(judge, { ...wanted, approximate });
  const threshold = given.threshold ?? certificate.threshold;

  const hosting = shared ?? hostingAsGiven(given, { settings, environment, output });
  const { items: file, map, images, texts } = given;
  const { note: tell } = output;
  const items = await readItems(
    { file, map, images, texts, allowOutside: given["allow-outside"], environment, tell },
    { task, whose: given.judge },
  );
  const hashes = await openItems(items, { environment, output });
  const choosing = { configured: settings.models, hosting };
  const answers = items.flatMap((item) => review.answerTo(item) ?? []);
  const open = items.filter((item) => review.answerTo(item) === undefined);
  const asking =
    threshold === null || open.length === 0
      ? undefined
      : await itemsToJudge(
          open,
          { judge, rule: kind.rule(threshold, forecast), hashes, choosing, budget },
          invocation,
        );
  return { asking, conclude, verified };

  async function verified(): Promise<void> {
    if (!given.verify) return;
    const { model } = given;
    const maxCost = given["max-cost"];
    const verifying = { file: judgeFile, model, maxCost, budget, environment, output };
    const found = await verifyJudge(verifying);
    output.note(verificationText(found));
    refuseDrifted(found, judgeFile);
  }

  async function conclude(collected: CollectedRun | undefined): Promise<void> {
    const judged =
      asking === undefined || collected === undefined
        ? unjudgedItems(open, judge)
        : await asking.judged(collected);
    const accepted = judged.filter(({ decision }) => decision !== null);
    const rest = judged.filter(({ decision }) => decision === null);
    const place = { task, workingDirectory };
    const decided = new Map(
      accepted.map((one) => [one.item, resultLine(one, { ...place, file: out })]),
    );
    const saved = await saveResults(
      items.flatMap((item) => {
        const answer = review.answerTo(item);
        const line =
          answer === undefined
            ? decided.get(item)
            : peoplesLine(item, answer.said, { ...place, file: out });
        return line === undefined ? [] : [line];
      }),
      { out, workingDirectory },
    );
    // What people were shown because it is hard is missing among the others, which are then no draw.
    const isDrawn = threshold === null && answers.every((answer) => answer.isDrawn);
    const written = { ...place, threshold, isDrawn, judge: judgeFile, file: review.file };
    await writeFileAtomically(
      resolve(workingDirectory, review.file),
      rest.map((one) => `${JSON.stringify(reviewLine(one, written))}\n`).join(""),
    );
    showJudged(
      {
        accepted,
        rest,
        answered: answers.length,
        answeredFiles: [...new Set(answers.map((answer) => answer.file))],
        n: items.length,
        calls: judge.trials * judged.reduce((sum, { asked }) => sum + asked, 0),
      },
      {
        given,
        judge,
        judgeFile,
        own,
        review: review.file,
        saved,
        wanted,
        certificate,
        threshold,
        sanity: collected?.sanity,
        output,
      },
    );
  }
}

import { extname, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { AnyStep } from "../../../core/step.js";
import { type AskingRule, askedInRounds } from "../../../ensembles/fewer-calls-replay.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { answersSoFar, stateOf } from "../../../judges/answers-so-far.js";
import { weightsOfItems } from "../../../judges/calibrate-fit.js";
import type { JudgeArtefact } from "../../../judges/judge-artefact.js";
import type { Budget } from "../../../runs/budget.js";
import {
  type CollectedRun,
  command,
  type Invocation,
  type Means,
} from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { configuredName } from "../../models/configured-name.js";
import { hostingAsGiven } from "../../models/hosting.js";
import { chooseModel } from "../../models/model-choice.js";
import type { Choosing } from "../../models/model-for.js";
import type { Output } from "../../terminal/output.js";
import { checkShares } from "../calibrate/calibrate-arguments.js";
import { chooseEmbedder, embedItems } from "../calibrate/embed-items.js";
import { askingOf, kindOf } from "../calibrate/judge-asking.js";
import { type ItemRow, readItems } from "../calibrate/judged-table.js";
import { resumable } from "../calibrate/long-work.js";
import { type ImageHashes, itemsAsked, itemsOfRun, openItems } from "../calibrate/open-items.js";
import { onlyCalibrated } from "../calibrate/other-model.js";
import { type Collection, collect } from "../run/collect.js";
import { budgetOf, withoutLimits } from "../run/limits.js";
import { anewWords, asksAgain, retryOfRun, withoutAskingAgain } from "../run/retry-unscored.js";
import { nothingScored } from "../score/mostly-unscored.js";
import { checkEndings, checkedFiles, judgeArguments } from "./judge-arguments.js";
import { refuseDrifted, verificationText, verifyJudge } from "./judge-verify.js";
import { type JudgedItem, judged, peoplesLine, resultLine, reviewLine } from "./judged-items.js";
import {
  approximationOf,
  certificateOf,
  checkSameModel,
  readJudge,
  weighingOf,
} from "./saved-judge.js";
import { saveResults, showJudged } from "./show-judged.js";

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

/** Items as nobody judged them, where no threshold is certified. */
function unjudgedItems(items: readonly ItemRow[], judge: JudgeArtefact): JudgedItem[] {
  const { prompts, task } = judge;
  const kind = kindOf(judge);
  const nobody = {
    weights: new Float64Array(prompts.length),
    answers: new Float64Array(prompts.length * kind.width).fill(Number.NaN),
    asked: new Uint8Array(prompts.length),
  };
  const rule = kind.rule(1);
  return items.map((item) => judged(item, nobody, { task, rule }));
}

/** Items that a judge is about to be asked about. */
interface ItemsToJudge {
  steps(store: RecordStore): readonly AnyStep[];
  readonly asked: Collection;
  /** Concludes from what was answered. @throws IncompleteError where nothing was. */
  judged(collected: CollectedRun): Promise<JudgedItem[]>;
}

/**
 * The rounds in which a saved judge's model is asked about items, and what follows by `rule`.
 *
 * @throws InputError where another model is named.
 */
async function itemsToJudge(
  items: readonly ItemRow[],
  {
    judge,
    rule,
    hashes,
    choosing,
    budget,
  }: {
    readonly judge: JudgeArtefact;
    readonly rule: AskingRule;
    readonly hashes: ImageHashes;
    readonly choosing: Choosing;
    readonly budget: Budget;
  },
  { given, environment, output, words, makes }: Invocation<typeof judgeArguments>,
): Promise<ItemsToJudge> {
  const { task, prompts } = judge;
  const { width } = kindOf(judge);
  const everyPrompt = given["every-prompt"];
  const {
    model: named,
    callsAtOnce,
    judgesPhotographs,
    load,
  } = await chooseModel(
    given.model ?? (await configuredName(judge.model, choosing)) ?? judge.model.model,
    choosing.configured,
    choosing.hosting,
  );
  const model = given["allow-other-model"] ? named : onlyCalibrated(named, judge, output.warn);
  const asking = askingOf(model, judge);
  checkSameModel(model, judge.model, "model");
  await load();
  const run = given.run ?? `${given.out.slice(0, -extname(given.out).length)}-answers`;
  const anew = { ...withoutAskingAgain, ...withoutLimits };
  const goOn = words({ run, ...anew });
  const { meter } = choosing.hosting;
  const weights = weightsOfItems(weighingOf(judge), {
    items: items.length,
    prompts: prompts.length,
    embeddings: await embeddings(),
  });
  return {
    asked: {
      run,
      command: [...goOn, ...anewWords(given)],
      makes: makes({ run: undefined, ...anew }),
      seed: 0,
      models: [judge.model.model],
      budget,
      meter,
      again: asksAgain(given, choosing.hosting.replies.directory),
      ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
      environment,
      output: withoutIdleRounds(output),
    },
    steps: (store) =>
      asking.rounds({
        prompts,
        width,
        weights,
        rule,
        everyPrompt,
        items: itemsOfRun(items, { store, hashes }),
      }),
    async judged({ store, summaries }) {
      const retry = retryOfRun(summaries, meter);
      if (retry !== undefined) output.note(retry);
      const asked = summaries.filter(({ planned }) => planned > 0);
      if (asked.length > 0 && asked.every(({ done }) => done === 0)) {
        throw nothingScored(
          asked.map(({ unscored }) => unscored),
          { judgesPhotographs },
        );
      }
      const said = await answersSoFar(asking.answers(store), {
        items: itemsAsked(items, hashes),
        prompts,
        width,
      });
      return items.map((item, row) => {
        const known = stateOf(said.get(item.id), row, { weights, prompts: prompts.length, width });
        const { state } = everyPrompt ? { state: known } : askedInRounds(rule, known);
        return judged(item, state, { task, rule });
      });
    },
  };

  async function embeddings() {
    if (judge.embedder === null) return undefined;
    const name =
      given.embedder ?? (await configuredName(judge.embedder, choosing)) ?? judge.embedder.model;
    const { model } = await chooseEmbedder(name, choosing);
    checkSameModel(model, judge.embedder, "embedder");
    const again = shellWords(["touchstone", ...goOn]);
    const embedding = { budget, meter, goOn: again, environment, output };
    return resumable(() => embedItems(model, items, embedding), {
      signal: environment.signal,
      doing: "images were embedded",
      goOn: again,
    });
  }
}

/** Rounds for which nothing is left are many, and of no interest. */
const withoutIdleRounds = (output: Output): Output => ({
  ...output,
  note(text) {
    if (!/, round \d+ \(.*\): nothing to do$/.test(text)) output.note(text);
  },
});

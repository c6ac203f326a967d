import { appendFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { GateError, InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import { absent } from "../../../files/file-error.js";
import { readTextFile } from "../../../files/regular-file.js";
import { answersSoFar, meanAnswers } from "../../../judges/answers-so-far.js";
import { ensembleAnswers } from "../../../judges/calibrate-fit.js";
import { type JudgeArtefact, judgeHash } from "../../../judges/judge-artefact.js";
import {
  evidenceOfDrift,
  type PastVerification,
  type RepeatedAnchors,
  repeatedAnchors,
  type Verification,
  verifyAnchors,
} from "../../../judges/verify-anchors.js";
import type { Budget } from "../../../runs/budget.js";
import {
  countText,
  estimateText,
  pluralText,
  probabilityText,
} from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { configuredName } from "../../models/configured-name.js";
import { hostingFor } from "../../models/hosting.js";
import { chooseModel } from "../../models/model-choice.js";
import { number3 } from "../../terminal/numbers.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";
import { askingOf, kindOf } from "../calibrate/judge-asking.js";
import type { ItemRow } from "../calibrate/judged-table.js";
import { itemsAsked, itemsOfRun, openItems } from "../calibrate/open-items.js";
import { collect } from "../run/collect.js";
import { budgetOf, spendingArguments } from "../run/limits.js";
import { readJudge } from "./saved-judge.js";

export default command({
  description:
    "Asks a saved judge's anchors again (forty of the items that it was calibrated with) and tests whether it " +
    "still answers as it did: models change under their name. The first time each is asked twice, so that it is " +
    "known how often the judge contradicts itself. Three things are tested: flipped answers, a shift of " +
    "probabilities, and whether accepted anchors are right as promised. Drift is decided by evidence over all " +
    "verifications, which are kept beside the judge: of judges that never drift, at most 5 % are ever accused, " +
    "however often they are verified. Exit code 4 where it drifted.",
  examples: ["touchstone judge verify judge.json", "touchstone judge verify judge.json --json"],
  arguments: {
    file: {
      kind: "positional",
      usage: "JUDGE.json",
      optional: true,
      description: "the saved judge (default: judge.json)",
    },
    model: {
      kind: "text",
      value: "NAME",
      description: "another name for the same model, such as one in touchstone.config.yaml",
    },
    ...spendingArguments,
  },
  async run({ given, environment, output, words }) {
    const { file = "judge.json", model } = given;
    const budget = budgetOf(given);
    const maxCost = given["max-cost"];
    const found = await verifyJudge({ file, model, maxCost, budget, environment, output });
    const verdict = verificationText(found);
    const { width } = output.style;
    const { anchors, asked, flipped, changed, p, shift, certificate } = found;
    output.resultJson(asJson({ ...found, verdict }));
    output.result(
      [
        output.style.bold(wrap(verdict, width)),
        table(
          [{ title: "tested" }, { title: "found" }, { title: "p", align: "right" as const }],
          [
            ["answered", `${asked} of ${anchors} anchors`, ""],
            ["other answers", String(flipped), probabilityText(p)],
            ["changed (other answer, or moved by 0.1)", String(changed), ""],
            [
              "mean shift of probability",
              shift.value === null ? "undefined" : estimateText(shift),
              "",
            ],
            ...(certificate === null
              ? []
              : [
                  [
                    "accepted and wrong",
                    `${certificate.wrong} of ${certificate.accepted}`,
                    probabilityText(certificate.p),
                  ],
                ]),
          ],
          width,
        ),
      ].join("\n\n"),
    );
    output.nextCommand(words({ json: true }));
    refuseDrifted(found, file);
  },
});

/** What a verification is asked with. */
interface Verifying {
  /** The judge's file. */
  readonly file: string;
  /** Another name for its model. */
  readonly model?: string | undefined;
  readonly maxCost?: number | undefined;
  readonly budget: Budget;
  readonly environment: Environment;
  readonly output: Output;
}

type Anchors = NonNullable<JudgeArtefact["anchors"]>;

/** A line of the file of verifications. */
interface KeptVerification extends PastVerification {
  readonly judge: string;
  readonly at: string;
  readonly flipped: number;
  /** Of the first: what asking twice changed. */
  readonly repeated?: RepeatedAnchors;
}

/**
 * Asks a saved judge's anchors again, the first time twice, so that it is known how often it contradicts itself,
 * and keeps what was found in JUDGE-verified.jsonl.
 *
 * @throws InputError for a judge without anchors, and where an image is gone or another.
 */
export async function verifyJudge(verifying: Verifying): Promise<Verification> {
  const { file, environment } = verifying;
  const judge = await readJudge(file, environment);
  const { anchors } = judge;
  if (anchors === undefined || anchors.length === 0) {
    throw new InputError(
      `Expected anchors in ${file} but it has none: it was saved before they were kept`,
      {
        hint: `Calibrate it anew, which asks nothing that was answered: ${shellWords(["touchstone", "calibrate", ...judge.command, "--out", file])}`,
      },
    );
  }
  const base = file.slice(0, file.length - extname(file).length);
  const history = resolve(environment.workingDirectory, `${base}-verified.jsonl`);
  const known = await verificationsOf(judge, history);
  const run = `${base}-verified/${known.length + 1}`;
  const [first] = known;
  const calls = anchors.length * judge.prompts.length * judge.trials * (first ? 1 : 2);
  verifying.output.note(
    `Asking ${pluralText(anchors.length, "anchor")} ${first ? "" : "twice "}by ${pluralText(judge.prompts.length, "prompt")}: ${countText(calls)} calls.`,
  );
  const now = await askAnchors(judge, anchors, { ...verifying, run });
  const kind = kindOf(judge);
  const again = async () => askAnchors(judge, anchors, { ...verifying, run: `${run}-again` });
  const repeated = first?.repeated ?? repeatedAnchors(anchors, [now, await again()], kind);
  const { certification } = judge;
  const found = verifyAnchors(anchors, now, { kind, certification, repeated, past: known });
  const { asked, flipped, changed, e } = found;
  const line: KeptVerification = {
    judge: judgeHash(judge),
    at: environment.now().toISOString(),
    asked,
    flipped,
    changed,
    e,
    ...(first === undefined ? { repeated } : {}),
  };
  await appendFile(history, `${JSON.stringify(line)}\n`);
  return found;
}

/** What was found before of this very judge. */
async function verificationsOf(judge: JudgeArtefact, path: string): Promise<KeptVerification[]> {
  const text = await readTextFile(path).catch(absent(path));
  const own = judgeHash(judge);
  return (text ?? "")
    .split("\n")
    .flatMap((line): KeptVerification[] => (line === "" ? [] : [JSON.parse(line)]))
    .filter((one) => one.judge === own);
}

/**
 * Asks every prompt about every anchor, of no reply that was kept.
 *
 * @returns what all prompts say together of each.
 */
async function askAnchors(
  judge: JudgeArtefact,
  anchors: Anchors,
  {
    file,
    model: named,
    maxCost,
    budget,
    run,
    environment,
    output,
  }: Verifying & { readonly run: string },
): Promise<Float64Array[]> {
  const { prompts } = judge;
  const { settings } = await loadConfiguration(environment);
  const hosting = hostingFor(environment, { useCache: false, maxCost, tell: output.note });
  const choosing = { configured: settings.models, hosting };
  const name = named ?? (await configuredName(judge.model, choosing)) ?? judge.model.model;
  const { model, callsAtOnce, load } = await chooseModel(name, settings.models, hosting);
  const asking = askingOf(model, judge);
  const items = itemsOf(anchors, resolve(environment.workingDirectory, dirname(file)), file);
  const hashes = await openItems(items, { environment, output });
  for (const [at, { id, images }] of anchors.entries()) {
    for (const [side, { file: name, hash }] of images.entries()) {
      if (hashes.get(items[at]?.images[side]?.path ?? "") === hash) continue;
      throw new InputError(`Expected ${name} of ${id} as it was calibrated but it was changed`, {
        hint: "An anchor's answer says nothing of another image. Put it back, or calibrate anew.",
      });
    }
  }
  await load();
  const { store } = await collect(
    (opened) => [asking.step(prompts, itemsOfRun(items, { store: opened, hashes }))],
    {
      run,
      command: ["judge", "verify", file],
      seed: 0,
      models: [judge.model.model],
      budget,
      meter: hosting.meter,
      resume: ["touchstone", "judge", "verify", file],
      ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
      environment,
      output,
    },
  );
  const kind = kindOf(judge);
  const { width } = kind;
  const of = { items: itemsAsked(items, hashes), prompts, width };
  const said = await answersSoFar(asking.answers(store), of);
  return anchors.map(({ id, weights }) => {
    const answers = meanAnswers(said.get(id), { prompts: prompts.length, width });
    const own = { clusters: 1, temperature: null, centroids: new Float64Array() };
    const [shares = new Float64Array(width).fill(Number.NaN)] = ensembleAnswers(
      { ...own, weights: Float64Array.from(weights) },
      { answers, prompts: prompts.length, embeddings: undefined, kind },
    );
    return shares;
  });
}

const itemsOf = (anchors: Anchors, folder: string, file: string): ItemRow[] =>
  anchors.map(({ id, text, images }) => ({
    id,
    text,
    images: images.map((image) => ({ name: image.file, path: resolve(folder, image.file) })),
    place: `${file}, anchor ${id}`,
  }));

/** One sentence on a verification. */
export function verificationText({
  asked,
  anchors,
  changed,
  e,
  drifted,
  certificate,
}: Verification) {
  if (asked === 0) return `Nothing can be concluded: none of ${anchors} anchors was answered.`;
  const many = `${changed} of ${pluralText(asked, "anchor")} changed (evidence ${number3(e)}; drift at ${evidenceOfDrift})`;
  if (drifted) return `The judge has drifted: ${many}. Calibrate it anew.`;
  return certificate !== null && certificate.p < 0.05
    ? `No drift is shown: ${many}; but ${certificate.wrong} of ${certificate.accepted} accepted anchors are wrong.`
    : `No drift is shown: ${many}.`;
}

/** @throws GateError where the judge has drifted. */
export function refuseDrifted(found: Verification, file: string): void {
  if (!found.drifted) return;
  throw new GateError(`Expected answers as calibrated but ${file} has drifted`, {
    hint: "What was measured and certified holds no more: calibrate anew.",
  });
}

import { extname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { RecordOf } from "../../core/records.js";
import { objectives } from "../../ensembles/prompt-weights.js";
import { writeFileAtomically } from "../../files/atomic.js";
import type { RunFolder } from "../../files/run-folder.js";
import { type CalibratingOptions, calibrateJudge } from "../../judges/calibrate-judge.js";
import { composePrompts } from "../../judges/compose-prompts.js";
import { judgeHash, sealedJudge } from "../../judges/judge-artefact.js";
import { judgePairs } from "../../judges/judge-pairs-step.js";
import { preferenceTable } from "../../judges/pair-preferences.js";
import { loadPromptPool } from "../../judges/read-prompt-pool.js";
import { samplePrompts } from "../../judges/sample-prompts.js";
import { calibrationText } from "../calibrate/calibration-text.js";
import { certificateText } from "../calibrate/certificate-text.js";
import { chooseEmbedder, chooseJudge } from "../calibrate/choose-judge.js";
import { embedPairs } from "../calibrate/embed-pairs.js";
import { openPairs } from "../calibrate/open-pairs.js";
import { type LabelledPair, readLabels } from "../calibrate/pair-table.js";
import { pairsOfRun } from "../calibrate/pairs-of-run.js";
import { judgeToSave } from "../calibrate/saved-judge.js";
import { command } from "../command.js";
import { loadConfiguration } from "../configuration.js";
import { hostingFor } from "../hosting.js";
import { checkOut } from "../out-path.js";
import { collect } from "../run/collect.js";
import { limitArguments, limitsOf } from "../run/limits.js";
import { nothingScored } from "../score/nothing-scored.js";
import { shellWords } from "../shell-words.js";

export default command({
  description:
    "Fits a judge of pairs to labels and says when it may be trusted. A model is asked by many equivalent " +
    "prompts which of two images is better for a caption; the prompts are weighed, group by group of " +
    "images, by labels that people gave; and labels that fitted nothing decide how sure it must be to " +
    "answer alone. LABELS is a table (JSONL, CSV, Parquet) with id, caption (or prompt, or text), image_a, " +
    "image_b and preferred: a, b or tie. What a model answered is kept beside the judge, so that a " +
    "calibration that was stopped goes on and asks nothing twice.",
  examples: [
    "touchstone calibrate labels.csv --model openai-compatible:gpt-4o-mini --embedder transformers-js:Xenova/clip-vit-base-patch16 --out judge.json",
    "touchstone calibrate labels.csv --model openai-compatible:gpt-4o-mini --add review.jsonl --out judge.json",
  ],
  arguments: {
    labels: { kind: "positional", description: "the table of labelled pairs" },
    model: { kind: "text", value: "PROVIDER:MODEL", description: "the model that judges" },
    out: {
      kind: "text",
      value: "FILE.json",
      default: "judge.json",
      description: "where the judge is saved",
    },
    prompts: {
      kind: "number",
      integer: true,
      minimum: 1,
      default: 20,
      description: "how many prompts of the pool are asked",
    },
    embedder: {
      kind: "text",
      value: "PROVIDER:MODEL",
      description: "places images among groups; without it there is one group",
    },
    clusters: { kind: "text", value: "N|auto", default: "auto", description: "groups of images" },
    temperature: { kind: "number", description: "how soft groups are; chosen where not given" },
    objective: {
      kind: "choice",
      choices: [...objectives, "auto"],
      default: "auto",
      description: "what weights are fitted by",
    },
    lambda: { kind: "number", description: "how much entropy counts; chosen where not given" },
    "target-error": {
      kind: "number",
      default: 0.05,
      description: "at most this share of what it answers alone may be wrong",
    },
    confidence: { kind: "number", default: 0.95, description: "how surely" },
    certify: {
      kind: "choice",
      choices: ["split", "cross-fitted"],
      default: "split",
      description: "split: some labels fit, others decide, which is exact; cross-fitted is near",
    },
    "fit-labels": {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "how many labels fit; a quarter, 50 at most, where not given",
    },
    "every-pair": {
      kind: "switch",
      description: "let all pairs of a caption decide; exact only if they are independent",
    },
    ties: { kind: "switch", description: "let the model answer tie, which counts half" },
    samples: {
      kind: "number",
      integer: true,
      minimum: 2,
      description: "for a model without log-probabilities: ask each prompt so often",
    },
    images: { kind: "text", value: "DIR", description: "where images are; beside the table" },
    add: {
      kind: "text",
      value: "FILE",
      repeated: true,
      description: "answers from review: they fit, but never decide",
    },
    map: {
      kind: "text",
      repeated: true,
      value: "NAME=COLUMN",
      description: "where a column has another name: caption=prompt_text",
    },
    run: { kind: "text", value: "DIR", description: "where answers are kept; beside the judge" },
    seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "of all draws" },
    "no-cache": { kind: "switch", description: "ask hosted models again what they have answered" },
    ...limitArguments,
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    const options = optionsOf(given);
    const modelText = given.model;
    if (modelText === undefined) {
      throw new InputError("Expected --model, the model that judges, but received none", {
        hint: "Such as --model openai-compatible:gpt-4o-mini, or a name of touchstone.config.yaml",
      });
    }
    if (extname(given.out).toLowerCase() !== ".json") {
      throw new InputError(`Expected a .json file for --out but received "${given.out}"`);
    }
    await checkOut(given.out, { inputs: [given.labels, ...given.add], workingDirectory });
    const { settings } = await loadConfiguration(environment);
    const hosting = hostingFor(environment, {
      settings: settings.cache,
      useCache: !given["no-cache"],
      tell: output.note,
    });
    const choosing = { configured: settings.models, hosting };
    const pairs = await allLabels(given, environment);
    const hashes = await openPairs(pairs, { environment, output });
    const { model, callsAtOnce, judgesPhotographs } = await chooseJudge(modelText, choosing);
    const embedder =
      given.embedder === undefined ? undefined : await chooseEmbedder(given.embedder, choosing);
    const prompts = samplePrompts({
      prompts: composePrompts(loadPromptPool("pairwise").pool),
      count: given.prompts,
      seed: given.seed,
    });
    const asking = {
      way: given.samples === undefined ? ("tokens" as const) : ("samples" as const),
      trials: given.samples ?? 1,
      ties: given.ties,
    };
    const run = given.run ?? `${given.out.slice(0, -extname(given.out).length)}-answers`;
    const { folder, summaries } = await collect(
      (opened) => [
        judgePairs({
          ...{ model, prompts, ...asking },
          pairs: pairsOfRun(pairs, { folder: opened, hashes }),
        }),
      ],
      {
        run,
        command: wordsOf(given, run),
        seed: given.seed,
        models: [modelText],
        limits: limitsOf(given),
        ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
        ...{ environment, output },
      },
    );
    if (summaries.every(({ done }) => done === 0)) {
      throw nothingScored(
        summaries.map(({ unscored }) => unscored),
        { judgesPhotographs },
      );
    }

    const used = pairs.filter(({ preferred }) => preferred !== "tie");
    const answers = await answersOfRun(
      folder,
      used,
      prompts.map(({ id }) => id),
    );
    const embeddings =
      embedder === undefined
        ? undefined
        : await embedPairs(embedder.model, used, { environment, output });
    const fitting = {
      labels: used.map(({ preferred }) => (preferred === "a" ? 1 : 0)),
      answers: answers.table,
      prompts: prompts.length,
      embeddings,
    };
    const calibrated = calibrateJudge(used, fitting, options);
    const judge = judgeToSave(calibrated, {
      ...{ model, embedder: embedder?.model, prompts, asking, pairs, used, hashes, options },
      unscored: answers.unanswered,
    });
    await writeFileAtomically(resolve(workingDirectory, given.out), sealedJudge(judge));

    const { certificate, approximate } = calibrated;
    const warnings = warningsOf(judge.labels, answers.unscored);
    output.resultJson({
      out: given.out,
      hash: judgeHash(judge),
      model: judge.model,
      labels: judge.labels,
      fit: { ...judge.fit, clusters: judge.groups.clusters, temperature: judge.groups.temperature },
      calibration: judge.calibration,
      certification: {
        method: judge.certification.method,
        ...{ target: options.target, confidence: options.confidence },
        certificate: { ...certificate },
        approximate: { ...approximate },
      },
      fewerCalls: judge.fewerCalls,
      unscored: answers.unscored,
      warnings,
    });
    output.result(calibrationText(judge));
    output.result(`\n${certificateText(certificate, judge, options)}`);
    for (const warning of warnings) output.warn(warning);
    output.note(`Wrote ${given.out}; what the model answered is in ${run}`);
    output.nextCommand(
      shellWords(["touchstone", "judge", "pairs.csv", "--judge", given.out]) +
        ` --target-error ${options.target}`,
    );
  },
});

interface Given {
  readonly labels: string;
  readonly add: readonly string[];
  readonly map: readonly string[];
  readonly images: string | undefined;
  readonly clusters: string;
  readonly objective: CalibratingOptions["objective"];
  readonly temperature: number | undefined;
  readonly lambda: number | undefined;
  readonly "target-error": number;
  readonly confidence: number;
  readonly certify: CalibratingOptions["certification"];
  readonly "fit-labels": number | undefined;
  readonly "every-pair": boolean;
  readonly seed: number;
  readonly embedder: string | undefined;
}

function optionsOf(given: Given): CalibratingOptions {
  for (const name of ["target-error", "confidence"] as const) {
    if (given[name] > 0 && given[name] < 1) continue;
    throw new InputError(
      `Expected a number between 0 and 1 for --${name} but received ${given[name]}`,
    );
  }
  for (const name of ["temperature", "lambda"] as const) {
    if ((given[name] ?? 1) > 0) continue;
    throw new InputError(`Expected a positive number for --${name} but received ${given[name]}`);
  }
  const clusters = given.clusters === "auto" ? "auto" : Number(given.clusters);
  if (clusters !== "auto" && !(Number.isInteger(clusters) && clusters >= 1)) {
    throw new InputError(
      `Expected a whole number or auto for --clusters but received "${given.clusters}"`,
    );
  }
  if (clusters !== "auto" && clusters > 1 && given.embedder === undefined) {
    throw new InputError(`Expected --embedder for ${clusters} groups of images but received none`, {
      hint: "Such as --embedder transformers-js:Xenova/clip-vit-base-patch16",
    });
  }
  return {
    ...{ clusters, objective: given.objective, seed: given.seed },
    ...{ temperature: given.temperature, lambda: given.lambda },
    ...{ target: given["target-error"], confidence: given.confidence },
    ...{ fitting: given["fit-labels"], everyPair: given["every-pair"] },
    certification: given.certify,
  };
}

/** Labels, and what came back from review. @throws InputError where an id stands in two files. */
async function allLabels(
  { labels, add, map, images }: Given,
  environment: Parameters<typeof readLabels>[0]["environment"],
): Promise<LabelledPair[]> {
  const all = await readLabels({ file: labels, map, images, environment, isReviewed: false });
  for (const file of add) {
    all.push(...(await readLabels({ file, map, images, environment, isReviewed: true })));
  }
  const seen = new Map<string, LabelledPair>();
  const problems: string[] = [];
  for (const pair of all) {
    const other = seen.get(pair.id);
    if (other === undefined) seen.set(pair.id, pair);
    else problems.push(`${pair.place}: the id ${pair.id} stands in ${other.place} already`);
  }
  if (problems.length > 0) {
    throw new InputError("Expected each pair once but some are in two tables", {
      problems: problems.slice(0, 20),
    });
  }
  return all;
}

/** What the run's model said of the pairs, in their order: pairs x prompts. */
async function answersOfRun(
  folder: RunFolder,
  pairs: readonly LabelledPair[],
  prompts: readonly string[],
) {
  const wanted = new Set(pairs.map(({ id }) => id));
  async function* judgments(): AsyncGenerator<RecordOf<"judgment">> {
    for await (const record of folder.ofType("judgment")) if (wanted.has(record.pair)) yield record;
  }
  const said = await preferenceTable({ judgments: judgments(), prompts });
  const byPair = new Map(said.pairs.map(({ pair, preferences }) => [pair, preferences]));
  const table = new Float64Array(pairs.length * prompts.length).fill(Number.NaN);
  let unanswered = 0;
  for (const [at, { id }] of pairs.entries()) {
    const row = byPair.get(id) ?? [];
    if (row.every((each) => each === null)) unanswered++;
    row.forEach((each, prompt) => {
      table[at * prompts.length + prompt] = each ?? Number.NaN;
    });
  }
  return { table, unscored: { ...said.unscored }, unanswered };
}

function warningsOf(
  labels: {
    readonly ties: number;
    readonly idle: number;
    readonly unscored: number;
    readonly reviewed: number;
  },
  unscored: Readonly<Record<string, number>>,
): string[] {
  const { ties, idle, reviewed } = labels;
  const reasons = Object.entries(unscored).map(([reason, count]) => `${count} ${reason}`);
  return [
    ...(ties > 0
      ? [
          `${ties} labels say tie: they fit nothing and decide nothing, so what is promised is about pairs of which people prefer one.`,
        ]
      : []),
    ...(idle > 0
      ? [
          `${idle} pairs have a caption of which another pair decides; pairs of one caption are not independent. --every-pair counts them all the same.`,
        ]
      : []),
    ...(reviewed > 0
      ? [
          `${reviewed} answers came from review. They fit but do not decide: review shows the hard pairs.`,
        ]
      : []),
    ...(reasons.length > 0
      ? [
          `Questions without an answer: ${reasons.join(", ")}.` +
            ((unscored["not-applicable"] ?? 0) > 0
              ? " A model without log-probabilities is asked by --samples 5; touchstone doctor --models says what a model can do."
              : ""),
        ]
      : []),
  ];
}

/** The words that go on with this. */
function wordsOf(
  given: Given & {
    readonly model: string | undefined;
    readonly out: string;
    readonly prompts: number;
    readonly ties: boolean;
    readonly samples: number | undefined;
  },
  run: string,
): string[] {
  const value = (name: string, text: string | number | undefined) =>
    text === undefined ? [] : [`--${name}`, String(text)];
  return [
    ...["calibrate", given.labels],
    ...value("model", given.model),
    ...value("out", given.out),
    ...value("prompts", given.prompts),
    ...value("embedder", given.embedder),
    ...value("clusters", given.clusters),
    ...value("temperature", given.temperature),
    ...value("objective", given.objective),
    ...value("lambda", given.lambda),
    ...value("target-error", given["target-error"]),
    ...value("confidence", given.confidence),
    ...value("certify", given.certify),
    ...value("fit-labels", given["fit-labels"]),
    ...(given["every-pair"] ? ["--every-pair"] : []),
    ...(given.ties ? ["--ties"] : []),
    ...value("samples", given.samples),
    ...value("images", given.images),
    ...given.add.flatMap((file) => ["--add", file]),
    ...given.map.flatMap((pair) => ["--map", pair]),
    ...value("seed", given.seed),
    ...value("run", run),
  ];
}

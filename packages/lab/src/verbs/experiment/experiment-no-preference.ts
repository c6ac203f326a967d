import { command } from "touchstone-t2i/internal/cli/command-line/command.js";
import { shellWords } from "touchstone-t2i/internal/cli/command-line/shell-words.js";
import { fileWriter } from "touchstone-t2i/internal/cli/conclusions/conclusion-file.js";
import { conclusionText } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import { outArgument, tableName } from "touchstone-t2i/internal/conclusions/table-options.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { asJson } from "touchstone-t2i/internal/core/json.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import type { CellTable } from "touchstone-t2i/internal/tables/cell-table.js";
import type { AnswerRow } from "../../experiments/ensemble/answers.js";
import { loadPublishedEnsembles } from "../../experiments/ensemble/published.js";
import type { NoPreferenceDesign } from "../../experiments/no-preference/fold.js";
import {
  type NoPreferenceConclusion,
  noPreference,
  paperNoPreference,
} from "../../experiments/no-preference/no-preference.js";
import { readableNoPreference } from "../../experiments/no-preference/no-preference-text.js";
import { answersOrLab, answersOrLabArguments } from "./answers-of.js";
import { ensembleArguments, objectivesOf } from "./grid-arguments.js";
import type { LabJudging } from "./judge-lab-pairs.js";

/** Drops a flag's default: the paper's holds, or with --lab the set-up's. */
const overridden = <Flag extends { readonly default: unknown; readonly description: string }>({
  default: _,
  description,
  ...flag
}: Flag) => ({ ...flag, description: `${description} (default: as set up)` });

export default command({
  description:
    "Measures how confident prompt ensembles are on pairs where neither image is better " +
    "(lower is better, 0.5 is right): the paper's table 4, with its figures beside. Weights " +
    "are fitted on pairs of an image and a degraded copy; captions are split into ten folds. " +
    "Reads JSONL, JSON, CSV or Parquet with the columns id, prompt (the caption), label (1 " +
    "or 0: which image is undegraded; empty: neither is better), probabilities (a list: " +
    "P(label is 1) by each prompt of the judge), embedding (a list) and, optionally, " +
    "degradation (of the copy, such as noise; separates the answers on copies). With --lab " +
    "the lab makes and degrades the pictures and lab:judge judges them first, as " +
    "data/ensemble/lab-no-preference.yaml says.",
  examples: [
    "touchstone lab experiment no-preference equal-pairs.jsonl",
    "touchstone lab experiment no-preference --from judge-answers",
    "touchstone lab experiment no-preference --lab --run lab-equal --out table4.html",
  ],
  arguments: {
    ...answersOrLabArguments,
    pairs: {
      kind: "number",
      integer: true,
      minimum: 20,
      description: "with --lab: try N captions, with another seed",
    },
    clusters: {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "the number of image groups (default: as set up)",
    },
    seeds: {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "the draws of labels at each setting (default: as set up)",
    },
    objectives: overridden(ensembleArguments.objectives),
    lambda: overridden(ensembleArguments.lambda),
    temperature: overridden(ensembleArguments.temperature),
    seed: overridden(ensembleArguments.seed),
    ...outArgument,
  },
  async run({ given, environment, output, words }) {
    const { lab, run, pairs } = given;
    const { table, read } = await answersOrLab("no-preference", given, environment);
    const write = await fileWriter(table, environment);
    const { rows, set, models, said } =
      run === undefined
        ? {
            rows: await read(),
            set: paperSet,
            models: undefined,
            said: "",
          }
        : await labRows(pairs, { run, command: words({ out: undefined }), environment, output });
    const available = rows[0]?.probabilities.length ?? 0;
    const prompts = set.prompts.filter((count) => count <= available);
    if (prompts.length === 0) {
      throw new InputError(`Expected at least 5 prompts for each row but received ${available}`);
    }
    output.progress("Fitting and judging, fold by fold …");
    const conclusion = noPreference(rows, {
      ...set,
      prompts,
      clusters: given.clusters ?? set.clusters,
      lambda: given.lambda ?? set.lambda,
      temperature: given.temperature ?? set.temperature,
      seed: given.seed ?? set.seed,
      objectives:
        given.objectives === undefined
          ? set.objectives
          : objectivesOf({ objectives: given.objectives }),
      seeds: { ...set.seeds, labels: given.seeds ?? set.seeds.labels },
    });
    const published = loadPublishedEnsembles();
    const told = readableNoPreference(conclusion, published);
    const readable = { ...told, method: told.method + said };
    const again = shellWords(["touchstone", ...words({ out: undefined })]);
    const json = asJson({
      ...conclusion,
      ...(models === undefined ? {} : { models }),
      published: published.table4,
      verdict: readable.verdict,
    });
    await write({
      json: () => json,
      view: readable,
      command: again,
      table: () => preferenceRows(conclusion),
      async page() {
        const { conclusionPage } = await import(
          "touchstone-t2i/internal/report/pages/conclusion-page.js"
        );
        const title = `Where neither is better: ${lab ? "the lab" : (given.from ?? tableName(table))}`;
        return conclusionPage(readable, { title, command: again, isFromLab: lab });
      },
    });
    output.resultJson(json);
    output.result(conclusionText(readable, output));
    if (given.out !== undefined) output.note(`Wrote ${given.out}`);
    output.nextCommand(
      words(given.out === undefined ? { out: "table4.html" } : { out: undefined, json: true }),
    );
  },
});

/** Settings that the paper leaves open, as the verbs beside this one have them. */
const paperSet: NoPreferenceDesign = {
  ...paperNoPreference,
  objectives: objectivesOf({ objectives: ensembleArguments.objectives.default }),
  lambda: ensembleArguments.lambda.default,
  temperature: ensembleArguments.temperature.default,
  seed: ensembleArguments.seed.default,
};

async function labRows(
  pairs: number | undefined,
  where: Pick<LabJudging, "run" | "command" | "environment" | "output">,
): Promise<{
  readonly rows: readonly AnswerRow[];
  readonly set: NoPreferenceDesign;
  readonly models: Readonly<Record<"judge" | "embedder", string>>;
  readonly said: string;
}> {
  const [
    { labNoPreferenceAnswers, loadLabNoPreference },
    { askedModels, askedText, keepAnswers, labJudging },
  ] = await Promise.all([import("./lab-no-preference.js"), import("./lab-judging.js")]);
  const set = loadLabNoPreference();
  // A trial must not look at the pairs that the set-up is for: it draws others.
  const design =
    pairs === undefined ? set : { ...set, pairs, pairsSeed: set.pairsSeed + 1_000_000 };
  const judging = labJudging({ drawn: design.drawn, ...where });
  const rows = await labNoPreferenceAnswers({ design, ...judging });
  await keepAnswers(rows, judging);
  const models = askedModels(judging);
  return { rows, set, models, said: askedText(models) };
}

/**
 * A row for each method at each setting, unrounded: confidence where neither image is better, accuracy
 * on all degraded copies. After it, a row for each kind of copy, whose degradation is named: confidence
 * and accuracy on those.
 */
function preferenceRows({ cells, n }: NoPreferenceConclusion): CellTable {
  const columns = ["method", "prompts", "labels", "confidence", "confidenceLow", "confidenceHigh"];
  const more = ["accuracy", "accuracyLow", "accuracyHigh", "isBest", "pAdjusted"];
  const bounds = ({ value, low, high }: Estimate) => [value, low, high];
  return {
    columns: [...columns, ...more, "degradation", "n"],
    rows: cells.flatMap(({ method, prompts, labels, copies, isBest, pAdjusted, ...cell }) => [
      [
        ...[method, prompts, labels, ...bounds(cell.confidence), ...bounds(cell.accuracy)],
        ...[String(isBest), pAdjusted, null, n],
      ],
      ...copies.map((copy) => [
        ...[method, prompts, labels, ...bounds(copy.confidence), ...bounds(copy.accuracy)],
        ...[null, null, copy.degradation, copy.n],
      ]),
    ]),
  };
}

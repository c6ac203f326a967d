import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { command } from "touchstone-t2i/internal/cli/command-line/command.js";
import { shellWords } from "touchstone-t2i/internal/cli/command-line/shell-words.js";
import { fileWriter } from "touchstone-t2i/internal/cli/conclusions/conclusion-file.js";
import { conclusionText } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import { progressOf } from "touchstone-t2i/internal/cli/verbs/score/score-progress.js";
import {
  optionalTable,
  outArgument,
  tableArguments,
  tableName,
} from "touchstone-t2i/internal/conclusions/table-options.js";
import { asJson } from "touchstone-t2i/internal/core/json.js";
import type { CellTable } from "touchstone-t2i/internal/tables/cell-table.js";
import { experimentAnswers } from "../../experiments/ensemble/answers.js";
import {
  baselineMethods,
  gridChunks,
  gridSize,
  mixtureMethods,
  resultWidth,
} from "../../experiments/ensemble/grid.js";
import { readableGrid } from "../../experiments/ensemble/grid-text.js";
import { loadPublishedEnsembles } from "../../experiments/ensemble/published.js";
import { GridResults } from "../../experiments/ensemble/results.js";
import { type GridTables, gridTables } from "../../experiments/ensemble/tables.js";
import { answersTable, fromArgument, noAnswers, readAnswers } from "./answers-of.js";
import { ensembleArguments, gridDesign } from "./grid-arguments.js";
import { openGridFolder, runGrid } from "./run-grid.js";

const mostWorkers = 8;

export default command({
  description:
    "Repeats the experiments of the paper on multimodal Bayesian prompt ensembles (MMB) on " +
    "your own answers: 5 to 20 prompts, 5 to 50 labels, 4 to 64 groups, 3 x 50 x 5 seeds " +
    "(52,200 fits), printed like its tables 1, 2, 3, 6 and figure 3, with the paper's " +
    "figures beside. Reads JSONL, JSON, CSV or Parquet with the columns id, label (1: the " +
    "first image is better, 0, empty), probabilities (a list: P(label is 1) by each prompt, " +
    "null: no answer), embedding (a list) and, optionally, split (validation, test, support) " +
    "and group or prompt (whose rows stay together).",
  examples: [
    "touchstone lab experiment ensemble answers.jsonl --run grid --out grid.html",
    "touchstone lab experiment ensemble answers.jsonl --small --objectives all",
    "touchstone lab experiment ensemble --from judge-answers --small",
  ],
  arguments: {
    ...tableArguments,
    file: optionalTable,
    ...fromArgument,
    small: {
      kind: "switch",
      description: "run a smaller experiment: fewer seeds, up to 10 prompts, K 4 and 16",
    },
    ...ensembleArguments,
    run: {
      kind: "text",
      value: "DIR",
      description: "store results there; the same command resumes them",
    },
    workers: {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "threads (default: one for each processor, at most 8)",
    },
    ...outArgument,
  },
  async run({ given: { file: named, ...rest }, environment, output, words }) {
    const from = await answersTable({ ...rest, file: named }, environment);
    if (from === undefined) throw noAnswers("ensemble");
    const { file, inputs } = from;
    const given = { ...rest, file: [file] };
    const write = await fileWriter(given, environment);
    const rows = await readAnswers(given, inputs);
    const answers = experimentAnswers(rows, { seed: given.seed });
    const { prompts } = answers;
    const testPairs = answers.test.labels.length;
    const poolPairs = answers.pool.labels.length;
    const support =
      answers.dimensions === 0 ? poolPairs : answers.support.length / answers.dimensions;
    const { design, warnings } = gridDesign(given, { prompts, labels: poolPairs, support });
    const chunks = gridChunks(design, prompts);
    const draws = design.labels.length * design.seeds.labels;
    const methodsOf = (clusters: number) =>
      clusters === 0 ? baselineMethods(design).length : mixtureMethods(design).length;
    const folder = await openGridFolder(
      given.run && resolve(environment.workingDirectory, given.run),
      {
        design,
        answers,
        lengths: new Map(
          chunks.map(({ key, clusters }) => [key, methodsOf(clusters) * draws * resultWidth]),
        ),
      },
    );
    const left = chunks.filter(({ key }) => !folder.results.has(key));
    const { experiments } = gridSize(design, prompts);
    output.note(
      `${experiments.toLocaleString("en-US")} experiments on ${testPairs.toLocaleString("en-US")} pairs` +
        (left.length < chunks.length
          ? `; ${chunks.length - left.length} of ${chunks.length} parts are there already`
          : ""),
    );
    const total = left.reduce((sum, { clusters }) => sum + methodsOf(clusters) * draws, 0);
    const show = progressOf("Experiment", total, { environment, output });
    let done = 0;
    await runGrid({
      answers,
      design,
      chunks: left,
      signal: environment.signal,
      workers: given.workers ?? Math.min(availableParallelism(), mostWorkers),
      async keep({ key, clusters }, results) {
        await folder.keep(key, results);
        done += methodsOf(clusters) * draws;
        show(done);
      },
    });

    const tables = gridTables(new GridResults(design, folder.results, prompts));
    const published = loadPublishedEnsembles();
    const readable = readableGrid(tables, published, {
      prompts,
      testPairs,
      poolPairs,
      unscored: answers.unscored,
      warnings: [...answers.warnings, ...warnings],
    });
    const again = shellWords(["touchstone", ...words({ out: undefined, workers: undefined })]);
    const json = asJson({
      n: testPairs,
      unscored: answers.unscored,
      labelled: poolPairs,
      prompts,
      ...gridSize(design, prompts),
      ...tables,
      published,
      warnings: readable.caveats,
      verdict: readable.verdict,
    });
    await write({
      json: () => json,
      view: readable,
      command: again,
      table: () => gridRows(tables),
      async page() {
        const { gridPage } = await import("../../experiments/ensemble/grid-page.js");
        return gridPage(readable, tables, {
          title: `Ensembles of prompts: ${given.from ?? tableName(given)}`,
          command: again,
        });
      },
    });
    output.resultJson(json);
    output.result(conclusionText(readable, output));
    if (given.out !== undefined) output.note(`Wrote ${given.out}`);
    output.nextCommand(
      words({
        workers: undefined,
        ...(given.out === undefined ? { out: "grid.html" } : { out: undefined, json: true }),
      }),
    );
  },
});

/** A row for each number of the tables and for each point of the curves; unrounded. */
function gridRows({ methodsTable, clustersTable, curves }: GridTables): CellTable {
  const columns = ["table", "method", "prompts", "labels", "clusters", "metric", "coverage"];
  const more = ["value", "low", "high", "isBest", "pAdjusted"];
  const cellsOf = (table: string, cells: GridTables["methodsTable"]) =>
    cells.map(({ method, prompts, labels, clusters, metric, estimate, isBest, pAdjusted }) => [
      ...[table, method, prompts, labels, method.startsWith("mmb") ? clusters : null],
      ...[metric, null, estimate.value, estimate.low, estimate.high, String(isBest), pAdjusted],
    ]);
  return {
    columns: [...columns, ...more],
    rows: [
      ...cellsOf("methods", methodsTable),
      ...cellsOf("clusters", clustersTable),
      ...curves.flatMap(({ method, prompts, labels, clusters, points }) =>
        points.map(({ coverage, error }) => [
          ...["figure 3", method, prompts, labels, method.startsWith("mmb") ? clusters : null],
          ...["error", coverage, error.value, error.low, error.high, null, null],
        ]),
      ),
    ],
  };
}

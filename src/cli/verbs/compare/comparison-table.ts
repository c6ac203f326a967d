import type { ComparisonRow } from "../../../analysis/comparison/comparison-samples.js";
import type { ScoreMeasure } from "../../../analysis/comparison/score-measure.js";
import type { Direction } from "../../../analysis/pairs/pair-sums.js";
import { type Judged, meanOf, ratings } from "../../../conclusions/ratings.js";
import { parseModelColumns } from "../../../conclusions/shared-options.js";
import {
  type GivenTable,
  type Inputs,
  tableName,
  tableRequest,
} from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import { listText } from "../../../core/list-text.js";
import { type ColumnKind, optionalText, rating, score, text } from "../../../tables/columns.js";
import { parseMap } from "../../../tables/map.js";
import { MetricNames } from "../../../tables/metric-names.js";
import { tableRows } from "../../../tables/table-rows.js";
import { pluralText } from "../../../views/number-text.js";
import { shellWords } from "../../command-line/shell-words.js";
import { modelColumnsShape } from "./score-columns.js";

const optionalRating: ColumnKind<number | null> = { ...rating, isRequired: false };

/** A row with the file of its image, where the table names one. */
export interface ComparedRow extends ComparisonRow {
  readonly image?: string | undefined;
}

/** The rows of one metric. */
export interface ComparisonTable {
  readonly rows: readonly ComparedRow[];
  /** Name in the column metric, else that of the scores' column. */
  readonly metric: string;
  /** Value of the column direction, where all rows agree. */
  readonly direction: Direction | undefined;
  /** Measure of the scores, where `score` wrote the table. */
  readonly measure: ScoreMeasure;
  /** Notes on reading the table, a sentence each. */
  readonly notes: readonly string[];
}

/** Flags that locate models and scores. */
export interface GivenComparison extends GivenTable {
  readonly metric: string | undefined;
  /** For a row for each prompt: the columns with a model's scores each. */
  readonly scores: string | undefined;
  /** The same with people's ratings of them. */
  readonly humans: string | undefined;
}

/**
 * Reads a table of models, prompts and scores. A column metric, as `score` writes it, tells several
 * metrics apart, and so does the metric's own model where that file says which it was; of these one
 * must be named. With `scores` a row holds all models' scores of a prompt.
 *
 * @throws InputError as `tableRows` does; where several metrics stand in it and none is named; and
 *   where the one that is named does not.
 */
export async function readComparisonTable(
  given: GivenComparison,
  inputs: Inputs,
): Promise<ComparisonTable> {
  const { metric } = given;
  const { rows: all, notes } = await metricRows(given, inputs);
  const found = [...new Set(all.flatMap((row) => row.metric ?? []))];
  const called = parseMap(given.map).score ?? "score";
  const name = metric ?? (found.length === 0 ? called : found[0]) ?? called;
  const where = tableName(given);
  if (metric === undefined && found.length > 1) {
    throw new InputError(
      `Expected one metric in ${where} but its column metric has ${listText(found)}`,
      { hint: `Compare by one of them: ${shellWords(["--metric", found[0] ?? name])}` },
    );
  }
  if (metric !== undefined && !found.includes(metric)) {
    throw new InputError(`Expected a metric of ${where} for --metric but received "${metric}"`, {
      hint:
        found.length === 0
          ? "It has no column metric; the column of scores is named by --map score=my_column"
          : `It has ${listText(found)}`,
    });
  }
  const rows = all.filter((row) => found.length === 0 || row.metric === name);
  return {
    rows,
    metric: name,
    direction: directionOf(rows.map((row) => row.direction)),
    measure: measureOf(rows.map((row) => row.result)),
    notes,
  };
}

/** The rows, each with what its metric is called among all. */
async function metricRows(given: GivenComparison, inputs: Inputs) {
  const models = wideModels(given);
  const request = await tableRequest(given, inputs);
  const saysModel = models !== undefined || parseMap(given.map).model !== undefined;
  const read = [];
  const names = new MetricNames();
  const averaged = new Set<string>();
  let others = 0;
  for await (const { row, all } of models === undefined
    ? longRows(request)
    : wideRows(request, { models, averaged })) {
    // Elsewhere a column model names what made the images, and low and high may be anything.
    const result = Object.hasOwn(all, scoreNames.mark) ? all : undefined;
    if (result !== undefined && !saysModel && !Object.hasOwn(all, scoreNames.names.model)) {
      throw metricsOwnModel(tableName(given));
    }
    const { model } = row;
    if (model === undefined) {
      others++;
      continue;
    }
    read.push({
      row: { ...row, model, result },
      source: names.add({ ...all, metric: row.metric }),
    });
  }
  const called = names.names();
  return {
    rows: read.map(({ row, source }) => ({
      ...row,
      metric: source === undefined ? row.metric : called.get(source),
    })),
    notes: [
      ...(averaged.size === 0
        ? []
        : [`lists of numbers were averaged: ${listText([...averaged])}`]),
      ...(others === 0
        ? []
        : [`${pluralText(others, "score")} of images that no model made for the text left out`]),
    ],
  };
}

/** Results of score: its column model is the metric's own, the source's is kept as input_model. */
const scoreNames = {
  mark: "metricVersion",
  names: { model: "input_model", prompt: "text", score: "value" },
} as const;

const metricsOwnModel = (where: string) =>
  new InputError(
    `Expected a column that names what made each image but ${where} has results of score, whose ` +
      "column model is the metric's own",
    {
      hint:
        "Score a table with a column model (touchstone generate writes one), or name another: " +
        "--map model=COLUMN",
    },
  );

const shared = { prompt: text, metric: optionalText, direction: optionalText };
type Request = Awaited<ReturnType<typeof tableRequest>>;

/** A row for each model and prompt. */
const longRows = (request: Request) =>
  tableRows({
    ...request,
    otherShape: modelColumnsShape,
    written: scoreNames,
    columns: {
      ...shared,
      [scoreNames.mark]: optionalText,
      // Of a run, images that were not to show the text say nothing about their model.
      model: { ...optionalText, isRequired: true },
      score,
      human: optionalRating,
      image: optionalText,
    },
    fault: ({ model, metricVersion }) =>
      model === undefined && metricVersion === undefined
        ? "Expected text for model but received nothing"
        : undefined,
  });

/** The same from a row for each prompt; notes which columns hold lists. */
async function* wideRows(
  request: Request,
  { models, averaged }: { readonly models: readonly WideModel[]; readonly averaged: Set<string> },
) {
  const asked = models.flatMap(({ scores, human }) => [
    scores,
    ...(human === undefined ? [] : [human]),
  ]);
  const columns: Readonly<Record<string, ColumnKind<Judged | string | undefined>>> = {
    ...Object.fromEntries(asked.map((column) => [column, ratings])),
    ...shared,
  };
  for await (const { row, all } of tableRows({ ...request, columns })) {
    const words = (column: keyof typeof shared) => {
      const cell = row[column];
      return typeof cell === "string" ? cell : undefined;
    };
    const number = (column: string | undefined) => {
      const cell = column === undefined ? null : row[column];
      if (typeof cell === "number") return cell;
      if (column === undefined || typeof cell !== "object" || cell === null) return null;
      averaged.add(column);
      return meanOf(cell);
    };
    for (const { model, scores, human } of models) {
      const said = { metric: words("metric"), direction: words("direction") };
      yield {
        row: {
          ...said,
          prompt: words("prompt") ?? "",
          model,
          score: number(scores),
          human: number(human),
        },
        all,
      };
    }
  }
}

interface WideModel {
  readonly model: string;
  /** The columns with its scores, and with people's ratings of it. */
  readonly scores: string;
  readonly human: string | undefined;
}

function wideModels({ scores, humans }: GivenComparison): WideModel[] | undefined {
  if (scores === undefined) {
    if (humans === undefined) return undefined;
    throw new InputError("Expected --scores for --humans", {
      hint: "The columns with each model's scores: --scores A=score_a,B=score_b",
    });
  }
  const models = parseModelColumns(scores, "scores");
  const people = humans === undefined ? [] : parseModelColumns(humans, "humans");
  const stranger = people.find((one) => !models.some(({ model }) => model === one.model));
  if (stranger !== undefined) {
    throw new InputError(
      `Expected a model of --scores for --humans but received ${stranger.model}`,
      {
        hint: `It has ${listText(models.map(({ model }) => model))}`,
      },
    );
  }
  return models.map(({ model, column }) => ({
    model,
    scores: column,
    human: people.find((one) => one.model === model)?.column,
  }));
}

/** Finds what rows share. */
function measureOf(rows: readonly (Readonly<Record<string, unknown>> | undefined)[]): ScoreMeasure {
  const textIn = (name: string) =>
    onlyOne(rows.map((row) => (isSaid(row?.[name]) ? String(row?.[name]) : undefined)));
  const [low, high] = ["low", "high"].map((name) => Number(textIn(name) ?? Number.NaN));
  const hasRange = low !== undefined && high !== undefined && low < high;
  return {
    ...Object.fromEntries(
      textColumns.flatMap((name) => {
        const said = textIn(name);
        return said === undefined ? [] : [[name, said]];
      }),
    ),
    ...(hasRange ? { range: [low, high] } : {}),
  };
}

const textColumns = ["model", "convention", "template", "statistic", "metricVersion"] as const;

const isSaid = (cell: unknown) =>
  typeof cell === "number" || (typeof cell === "string" && cell !== "");

function onlyOne(said: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = new Set(said);
  return others.length === 0 ? first : undefined;
}

function directionOf(said: readonly (string | undefined)[]): Direction | undefined {
  const [first, ...others] = new Set(said);
  return others.length === 0 && (first === "higher" || first === "lower") ? first : undefined;
}

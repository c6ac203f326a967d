import {
  type ComparisonColumns,
  someRows,
  textsOf,
} from "../../analysis/comparison/comparison-samples.js";
import type { PromptDemand } from "../../analysis/comparison/prompt-gate.js";
import type { ScoreMeasure } from "../../analysis/comparison/score-measure.js";
import type { Direction } from "../../analysis/pairs/pair-sums.js";
import { InputError } from "../../core/errors.js";
import type { Given } from "../../core/options.js";
import { listText } from "../../core/phrases.js";
import { shellWord } from "../../core/shell-word.js";
import { type TextColumn, textAt } from "../../core/text-column.js";
import { type NumberKind, optionalText, rating, score, text } from "../../tables/columns.js";
import { parseMap } from "../../tables/map.js";
import { factColumn, metricFacts, metricOfRows } from "../../tables/metric-names.js";
import { fileColumn } from "../../tables/several-files.js";
import { readTable } from "../../tables/table.js";
import { pluralText } from "../../views/number-text.js";
import { withAnswered } from "../answered.js";
import { drawKindsWithProbability, drawsOfRows } from "../draw-columns.js";
import { type Judged, meanOf, ratings } from "../ratings.js";
import { type GivenTable, type Inputs, tableName, tableRequest } from "../table-options.js";
import type { options } from "./options.js";
import { modelColumnsShape, type ScoreColumns, scoreColumns } from "./score-columns.js";

/** The images of one metric. */
export interface ComparisonTable {
  readonly columns: ComparisonColumns;
  /** Files of the images, where the table names them. */
  readonly image: TextColumn | undefined;
  /** Column --by, where it is given. */
  readonly by: TextColumn | undefined;
  /** What columns threshold and allowance demand of a prompt, by its rows; undefined where the table has neither. */
  readonly demands?: ((rows: readonly number[]) => PromptDemand | undefined) | undefined;
  /** Name in the column metric, else that of the scores' column. */
  readonly metric: string;
  /** Value of the column direction, where all rows agree. */
  readonly direction: Direction | undefined;
  /** Measure of the scores, where `score` wrote the table. */
  readonly measure: ScoreMeasure;
  /** Notes on reading the table, a sentence each. */
  readonly notes: readonly string[];
}

export type GivenComparison = GivenTable &
  Pick<Given<typeof options>, "metric" | "scores" | "humans"> & {
    readonly by?: string | undefined;
    readonly gate?: string | undefined;
    readonly answered?: readonly string[];
  };

/** What `analyze raters --answers-out` says of an item; of another column nothing. */
const likelyAnswer: NumberKind<number | null> = {
  ...rating,
  isRequired: false,
  column: "answer",
  read(cell, about) {
    const read = rating.read(cell, about);
    return "value" in read ? read : { value: null };
  },
};

/**
 * Labels of likely answers: of yes and no (1 and 0) the probability of yes, of other answers these themselves. Undefined
 * where no row has an answer with a probability.
 */
function likelyLabels(answer: Float64Array, probability: Float64Array) {
  const known = answer.map((each, row) =>
    Number.isNaN(probability[row] ?? Number.NaN) ? Number.NaN : each,
  );
  if (known.every(Number.isNaN)) return undefined;
  const areProbabilities = known.every((each) => Number.isNaN(each) || each === 0 || each === 1);
  const human = known.map((each, row) => {
    const sure = probability[row] ?? Number.NaN;
    return !areProbabilities || Number.isNaN(each) ? each : each === 1 ? sure : 1 - sure;
  });
  return { human, areProbabilities };
}

const inputModel = "input_model";

/**
 * Names in results of score: its column model is the metric's own, the source's is kept as input_model. Of several
 * files without one, each is the results of one model.
 */
const written = ({ file }: GivenComparison) => {
  const names = { prompt: "text", score: "value" };
  const models = [inputModel, ...(file.length > 1 ? [fileColumn] : [])];
  return [...models.map((model) => ({ ...names, model })), names].map((each) => ({
    mark: "metricVersion",
    names: each,
  }));
};

const kinds = {
  prompt: text,
  metric: optionalText,
  direction: optionalText,
  ...metricFacts,
  metricModel: factColumn("model"),
  low: factColumn("low"),
  high: factColumn("high"),
  // Of a run, images that were not to show the text say nothing about their model.
  model: { ...optionalText, isRequired: true },
  score,
  human: { ...rating, isRequired: false },
  image: optionalText,
  ...drawKindsWithProbability,
  answer: likelyAnswer,
  inputModel: factColumn(inputModel),
};

const demanded = {
  threshold: { ...rating, isRequired: false },
  allowance: { ...rating, isRequired: false },
};

/** The same, with the column of --by and those of --gate. */
const kindsOf = ({
  by,
  gate,
}: GivenComparison): typeof kinds & { by?: typeof optionalText } & Partial<typeof demanded> => ({
  ...kinds,
  ...(by !== undefined && { by: factColumn(by) }),
  ...(gate !== undefined && demanded),
});

/** A row for each image; or, with --scores, a row for each prompt and columns for each model. */
async function read(
  given: GivenComparison,
  models: readonly ScoreColumns[] | undefined,
  inputs: Inputs,
) {
  const request = await tableRequest(given, inputs);
  if (models === undefined) {
    return readTable({
      ...request,
      written: written(given),
      shape: {
        kinds: kindsOf(given),
        otherShape: modelColumnsShape,
        *check({ length, columns: { model, metricVersion } }) {
          for (let row = 0; row < length; row++) {
            if (isSaid(model, row) || isSaid(metricVersion, row)) continue;
            yield { row, problem: "Expected text for model but received nothing" };
          }
        },
      },
    });
  }
  const areRated = models.some(({ human }) => human !== undefined);
  const { human, ...others } = kindsOf(given);
  return readTable({
    ...request,
    shape: {
      kinds: { ...others, score: ratings, ...(areRated ? { human: ratings } : {}) },
      sideBySide: {
        given: new Map(models.map(({ model, scores, human }) => [model, [scores, human]])),
        name: "model",
        values: areRated ? ["score", "human"] : ["score"],
      },
    },
  });
}

const isSaid = ({ codes }: TextColumn, row: number) => (codes[row] ?? -1) >= 0;

/**
 * Reads a table of models, prompts and scores. A column metric, as `score` writes it, tells several
 * metrics apart, and so does the metric's own model where that file says which it was; of these one
 * must be named. With `scores` a row holds all models' scores of a prompt.
 *
 * @throws InputError as `readTable` does; where several metrics stand in it and none is named; and
 *   where the one that is named does not.
 */
export async function readComparisonTable(
  asked: GivenComparison,
  files: Inputs,
): Promise<ComparisonTable> {
  const people = [parseMap(asked.map).human ?? "human", "probability"];
  const { given, inputs } = withAnswered(asked, files, people);
  const models = scoreColumns(given);
  const table = await read(given, models, inputs);
  const { columns } = table;
  if (given.by !== undefined && !table.has("by")) {
    throw new InputError(
      `Expected a column of ${tableName(given)} for --by but received "${given.by}"`,
    );
  }
  const map = parseMap(given.map);
  const saysModel = models !== undefined || map.model !== undefined;
  // Elsewhere a column model names what made the images, and low and high may be anything.
  const areResults = table.has("metricVersion");
  const isByFile = areResults && !saysModel && !table.has("inputModel");
  if (isByFile && given.file.length < 2) throw metricsOwnModel(given);
  const model = isByFile ? namedByFile(columns.model) : columns.model;

  const made = rowsWith(model);
  const left = table.length - made.length;
  const found = metricOfRows({ ...columns, model: columns.metricModel }, made, (row) =>
    textAt(columns.metric, row),
  );
  const metric = metricNamed(found.names, { given, called: map.score ?? "score" });
  const its = found.names.indexOf(metric);
  const rows = its < 0 ? made : made.filter((_, at) => found.codes[at] === its);
  const score = numbersOf(columns.score, (row) => models?.[row % models.length]?.scores);
  const human =
    columns.human === undefined || !table.has("human")
      ? undefined
      : numbersOf(columns.human, (row) => models?.[row % models.length]?.human);
  const averaged = [...new Set([...score.averaged, ...(human?.averaged ?? [])])];
  const draws = drawsOfRows(table);
  const likely =
    human === undefined && draws === undefined && models === undefined && table.has("answer")
      ? likelyLabels(columns.answer, columns.drawProbability)
      : undefined;
  const all = {
    ...columns,
    model,
    score: score.numbers,
    human: human?.numbers ?? likely?.human,
    ...(likely?.areProbabilities && { areProbabilities: true }),
    ...(draws && { draws }),
  };
  const direction = onlyText(columns.direction, rows);
  return {
    columns: rows.length === table.length ? all : someRows(all, rows),
    image: columns.image && textsOf(columns.image, rows),
    by: columns.by && textsOf(columns.by, rows),
    demands:
      "threshold" in columns && table.has("threshold") ? demandsOf(columns, rows) : undefined,
    metric,
    direction: direction === "higher" || direction === "lower" ? direction : undefined,
    measure: areResults ? measureOf(columns, rows) : {},
    notes: [
      ...(averaged.length === 0 ? [] : [`lists of numbers were averaged: ${listText(averaged)}`]),
      ...(left === 0
        ? []
        : [`${pluralText(left, "score")} of images that no model made for the text left out`]),
    ],
  };
}

/** @throws InputError for a threshold without an allowance between 0 and 1, and for rows of a prompt that disagree. */
function demandsOf(
  {
    threshold,
    allowance,
  }: { readonly threshold?: Float64Array; readonly allowance?: Float64Array },
  rows: Int32Array,
) {
  return (its: readonly number[]): PromptDemand | undefined => {
    const all = its.map((row) => [threshold?.[rows[row] ?? -1], allowance?.[rows[row] ?? -1]]);
    const [[least, share] = []] = all;
    if (least === undefined || Number.isNaN(least)) return undefined;
    if (all.some(([one, other]) => !Object.is(one, least) || !Object.is(other, share))) {
      throw new InputError(
        "Expected one threshold and one allowance for each prompt but its rows have several",
      );
    }
    if (share === undefined || !(share > 0 && share < 1)) {
      throw new InputError(
        `Expected an allowance above 0 and below 1 beside the threshold ${least} but received ${share ?? "none"}`,
        { hint: "The share of samples that may lie below the threshold: 0.1" },
      );
    }
    return { threshold: least, allowance: share };
  };
}

const metricsOwnModel = (given: GivenTable) =>
  new InputError(
    `Expected a column that names what made each image but ${tableName(given)} has results of score, whose ` +
      "column model is the metric's own",
    {
      hint:
        "Compare two files of score, one of each model (touchstone compare a.jsonl b.jsonl); or score a table with " +
        "a column model (touchstone generate writes one), or name another: --map model=COLUMN",
    },
  );

/** Models that are called as their files, without what comes before and after. */
function namedByFile(files: TextColumn): TextColumn {
  const short = files.names.map((name) => name.replace(/^.*[/\\]/, "").replace(/\.\w+$/, ""));
  return new Set(short).size < short.length ? files : { ...files, names: short };
}

const rowsWith = ({ codes }: TextColumn) =>
  Int32Array.from(codes.keys()).filter((row) => (codes[row] ?? -1) >= 0);

/**
 * The metric to compare by; without a column metric what the scores are called.
 *
 * @throws InputError where several are found and none is named, or one that is not found.
 */
export function metricNamed(
  found: readonly string[],
  { given, called }: { readonly given: GivenComparison; readonly called: string },
): string {
  const { metric } = given;
  const where = tableName(given);
  const [first = called] = found;
  if (metric === undefined && found.length > 1) {
    throw new InputError(
      `Expected one metric in ${where} but its column metric has ${listText(found)}`,
      { hint: `Compare by one of them: --metric ${shellWord(first)}` },
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
  return metric ?? first;
}

/** The numbers of a column, the mean of a list; and the columns that hold lists. */
function numbersOf(
  column: Float64Array | readonly Judged[],
  columnOf: (row: number) => string | undefined,
): { readonly numbers: Float64Array; readonly averaged: ReadonlySet<string> } {
  const averaged = new Set<string>();
  if (column instanceof Float64Array) return { numbers: column, averaged };
  const numbers = Float64Array.from(column, (cell, row) => {
    if (typeof cell === "number") return cell;
    if (cell === undefined || cell === null) return Number.NaN;
    averaged.add(columnOf(row) ?? "");
    return meanOf(cell) ?? Number.NaN;
  });
  return { numbers, averaged };
}

/** Finds what rows share. */
function measureOf(
  columns: Readonly<Record<(typeof measured)[number] | "metricModel" | "low" | "high", TextColumn>>,
  rows: Int32Array,
): ScoreMeasure {
  const [low, high] = (["low", "high"] as const).map((name) =>
    Number(onlyText(columns[name], rows) ?? Number.NaN),
  );
  const hasRange = low !== undefined && high !== undefined && low < high;
  const model = onlyText(columns.metricModel, rows);
  return {
    ...(model === undefined ? {} : { model }),
    ...Object.fromEntries(
      measured.flatMap((name) => {
        const said = onlyText(columns[name], rows);
        return said === undefined ? [] : [[name, said]];
      }),
    ),
    ...(hasRange ? { range: [low, high] } : {}),
  };
}

const measured = ["convention", "template", "statistic", "metricVersion"] as const;

/** The text that stands in all of some rows. */
function onlyText({ codes, names }: TextColumn, rows: Int32Array): string | undefined {
  const code = codes[rows[0] ?? -1] ?? -1;
  return rows.every((row) => codes[row] === code) ? names[code] : undefined;
}

import { judgeMetrics } from "../../analysis/calibration/prediction-score.js";
import { significanceOf, swapUnits } from "../../analysis/calibration/significance.js";
import { adjustments } from "../../analysis/comparison/comparison-test.js";
import type { Arguments, Given } from "../../core/options.js";
import {
  answer,
  type NumberKind,
  optionalText,
  probability,
  type TextKind,
  text,
} from "../../tables/columns.js";
import type { RowProblem, Table, TableShape, Tells } from "../../tables/shapes.js";
import { conclusion, inColumns } from "../conclusion.js";
import {
  type ModelColumn,
  parseModelColumns,
  permutationsArgument,
  seedArgument,
} from "../shared-options.js";
import { significanceView } from "./view.js";

type Predictions = Readonly<
  Record<"id" | "method", TextKind<string>> &
    Record<"run", TextKind<string | undefined>> & {
      label: typeof answer;
      probability: NumberKind<number | null>;
    }
>;

/** A row for each item and method; with --methods, a row for each item and a column for each method. */
function columns({
  unit,
  methods,
}: Pick<Given<typeof options>, "unit" | "methods">): TableShape<Predictions> {
  const isOfRuns = unit === "run";
  const item = isOfRuns ? (["run", "id"] as const) : (["id"] as const);
  const kinds = { id: text, method: text, label: answer, probability };
  const run: Predictions["run"] = isOfRuns ? text : optionalText;
  if (methods !== undefined) {
    const given = parseModelColumns(methods, "methods");
    return {
      kinds: { ...kinds, run },
      unique: item,
      sideBySide: {
        given: new Map(given.map(({ model, column }) => [model, [column]])),
        name: "method",
        values: ["probability"],
      },
    };
  }
  return {
    kinds: { ...kinds, run },
    unique: [...item, "method"],
    check: oneLabel,
    otherShape: (names) =>
      isOfRuns && names.includes("probability") && !names.includes("run")
        ? "The column run names a judge's runs; --unit item needs none"
        : methodShape(names),
  };
}

const tells: Tells = { columns: { id: text, method: text, label: answer, probability } };

const readPredictions = inColumns(columns);

/** An item has one label, whoever judges it. */
function* oneLabel({ length, columns: { id, label } }: Table<Predictions>): Generator<RowProblem> {
  const labels = new Float64Array(id.names.length).fill(Number.NaN);
  for (let row = 0; row < length; row++) {
    const code = id.codes[row] ?? 0;
    const own = label[row] ?? Number.NaN;
    if (Number.isNaN(own)) continue;
    const earlier = labels[code] ?? Number.NaN;
    if (Number.isNaN(earlier)) labels[code] = own;
    else if (earlier !== own) {
      const problem = `Expected one label for id "${id.names[code]}" but received both 0 and 1`;
      yield { row, problem };
    }
  }
}

/** Says to give --methods where columns of probabilities stand side by side. */
function methodShape(columns: readonly string[]): string | undefined {
  if (columns.includes("method")) return undefined;
  const pairs = columns.flatMap((column): ModelColumn[] => {
    const model = column.replace(
      /^(?:p|prob|probability)[-_. ]+|[-_. ]+(?:p|prob|probability)$/i,
      "",
    );
    return model === column ? [] : [{ model, column }];
  });
  if (pairs.length < 2) return undefined;
  const flag = pairs.map(({ model, column }) => `${model}=${column}`).join(",");
  return `With a column of probabilities for each method: --methods ${flag}`;
}

export const options = {
  methods: {
    kind: "text",
    value: "A=COLUMN,B=COLUMN",
    description: "for a row per item: each method's column of probabilities",
  },
  metric: {
    kind: "choice",
    choices: judgeMetrics,
    description: "test only this metric (default: all)",
  },
  unit: {
    kind: "choice",
    choices: swapUnits,
    default: "item",
    description: "the unit that is swapped between judges",
  },
  adjust: {
    kind: "choice",
    choices: adjustments,
    default: "by",
    description: "adjusts the p-values of a metric for the number of tests",
  },
  permutations: permutationsArgument("permutations of each test"),
  seed: seedArgument("the random seed of the permutations"),
} as const satisfies Arguments;

export default conclusion({
  title: "Significance",
  description:
    "Tests whether the best of several judges is significantly better: paired permutation " +
    "tests of every method against the best, adjusted for their number. Unscored rows are " +
    "excluded and have bounds. Reads JSONL, JSON, CSV or Parquet with the columns id, " +
    "method, label (0 or 1), probability (of label 1; empty: no answer) and, for --unit run, " +
    "run. `touchstone example significance` prints a sample.",
  examples: [
    "touchstone analyze significance judges.csv",
    "touchstone analyze significance wide.csv --methods A=p_a,B=p_b",
    "touchstone analyze significance judges.csv --metric ece --unit run --out tests.html",
    "touchstone example significance | touchstone analyze significance - --json",
  ],
  example: { shows: "three judges' probabilities for 24 labels, one of them unscored" },
  page: "tests.html",
  options,
  tells,
  read: readPredictions,
  conclude: ({ columns }, { metric, ...given }) =>
    significanceOf(columns, {
      ...given,
      metrics: metric === undefined ? judgeMetrics : [metric],
    }),
  view: significanceView,
  async figure(found) {
    const { significanceFigure } = await import("./figure.js");
    return significanceFigure(found);
  },
});

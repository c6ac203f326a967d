import {
  isHigherBetter,
  judgeMetrics,
  metricNames,
} from "../../analysis/calibration/prediction-score.js";
import {
  type SignificanceConclusion,
  type SignificanceTest,
  significanceOf,
  swapUnits,
} from "../../analysis/calibration/significance.js";
import { adjustments } from "../../analysis/comparison/comparison-test.js";
import type { Arguments, Given } from "../../core/options.js";
import { listText } from "../../core/phrases.js";
import {
  answer,
  type NumberKind,
  optionalText,
  probability,
  type TextKind,
  text,
} from "../../tables/columns.js";
import type { RowProblem, Table, TableShape } from "../../tables/shapes.js";
import { countText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  probabilityColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { conclusion, inColumns } from "../conclusion.js";
import {
  type ModelColumn,
  parseModelColumns,
  permutationsArgument,
  seedArgument,
} from "../shared-options.js";

const level = 0.05;

const adjustedBy = {
  by: "by Benjamini and Yekutieli",
  bh: "by Benjamini and Hochberg",
  holm: "by Holm",
} as const;

const testTable = (
  { adjust }: SignificanceConclusion,
  tests: readonly SignificanceTest[],
): ViewTable => ({
  title: "Every method against the best",
  columns: [
    textColumn("metric", { isGroup: true }),
    textColumn("method"),
    countColumn("n"),
    numberColumn("value"),
    numberColumn("best's value"),
    numberColumn("difference"),
    probabilityColumn("p"),
    probabilityColumn("adjusted p"),
  ],
  rows: tests.map(
    ({ metric, method, against, n, value, againstValue, difference, p, pAdjusted }) => [
      `${metricNames[metric]}, best: ${against}`,
      ...[method, n, value, againstValue, difference, p, pAdjusted],
    ],
  ),
  note:
    "Both values are of the n rows that the two answered. Difference: value minus that of the " +
    (adjust === "none"
      ? `best. Not adjusted for the number of tests; at or below ${level} a method `
      : `best. Adjusted over the tests of a metric ${adjustedBy[adjust]}; at or below ${level} a method `) +
    "is significantly worse.",
});

const scoreTable = ({ scores }: SignificanceConclusion): ViewTable => ({
  title: "What is unscored",
  columns: [
    textColumn("metric", { isGroup: true }),
    textColumn("method"),
    countColumn("n"),
    countColumn("unscored"),
    numberColumn("value"),
    numberColumn("if all were scored", { id: "range if unscored" }),
  ],
  rows: scores.map(({ metric, method, n, unscored, value, bounds }) => [
    ...[metricNames[metric], method, n, unscored, value],
    unscored === 0 ? null : bounds,
  ]),
  note: "Value: over all rows that the method answered. If all were scored: over all its rows, had each unscored one been wrong, or right, with full confidence.",
});

/** A row for each test; `unscored` and `bounds` are of the method's score, `againstUnscored` of the other's. */
const data = ({ tests, scores }: SignificanceConclusion): ViewWithData["data"] => ({
  columns: [
    textColumn("metric"),
    textColumn("method"),
    textColumn("against"),
    countColumn("n"),
    numberColumn("value"),
    numberColumn("againstValue"),
    numberColumn("difference"),
    probabilityColumn("p"),
    probabilityColumn("pAdjusted"),
    countColumn("unscored"),
    numberColumn("bounds", { spread: "range" }),
    countColumn("againstUnscored"),
  ],
  rows: tests.map(
    ({ metric, method, against, n, value, againstValue, difference, p, pAdjusted }) => {
      const scoreOf = (name: string) =>
        scores.find((score) => score.metric === metric && score.method === name);
      const own = scoreOf(method);
      return [
        ...[metric, method, against, n, value, againstValue, difference, p, pAdjusted],
        ...[own?.unscored ?? 0, own?.bounds ?? null, scoreOf(against)?.unscored ?? 0],
      ];
    },
  ),
});

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

/** Tests of every method against the best. */
function significanceView(found: SignificanceConclusion): ViewWithData {
  const { tests, scores, warnings, unit, permutations, seed } = found;
  const byMetric = new Map<SignificanceTest["metric"], SignificanceTest[]>();
  for (const test of tests) byMetric.set(test.metric, [...(byMetric.get(test.metric) ?? []), test]);
  return {
    verdict:
      tests.length === 0
        ? "Nothing can be concluded: no row is answered by every method."
        : verdict([...byMetric.values()]),
    tables: [
      testTable(found, [...byMetric.values()].flat()),
      ...(scores.some(({ unscored }) => unscored > 0) ? [scoreTable(found)] : []),
    ],
    data: data(found),
    caveats: [...warnings, ...tests.filter(isAhead).map(aheadText)],
    method:
      `Paired permutation tests, two-sided: ${countText(permutations)} random swaps of two methods' predictions of each ` +
      `${unit}, seed ${seed}; p = (1 + permutations at least as far apart) / (1 + all).`,
  };
}

/** Whether a method is better than the best on the rows that both answered. */
const isAhead = ({ metric, difference }: SignificanceTest) =>
  isHigherBetter(metric) ? difference > 0 : difference < 0;

const aheadText = ({ metric, method, against, n }: SignificanceTest) =>
  `on the ${n} rows that both answered, ${method} has a better ${metricNames[metric]} than ${against}`;

/** Which method is best by how many metrics, and whether that is more than chance; one metric is told whole. */
function verdict(tested: readonly (readonly SignificanceTest[])[]): string {
  const outcomes = tested.flatMap((tests) => {
    const [first] = tests;
    if (first === undefined) return [];
    return [{ metric: first.metric, best: first.against, said: outcome(tests, first.against) }];
  });
  const [first] = outcomes;
  const where = tested.flat().some(isAhead) ? "On the rows that all answered, " : "";
  if (first === undefined || outcomes.every(({ said }) => said === first.said)) {
    return `${where}${where === "" ? "By" : "by"} ${listText(outcomes.map(({ metric }) => metricNames[metric]))} ${first?.said}.`;
  }
  const metricsOf = new Map<string, string[]>();
  for (const { best, metric } of outcomes) {
    metricsOf.set(best, [...(metricsOf.get(best) ?? []), metricNames[metric]]);
  }
  const bests = [...metricsOf].map(([best, metrics]) => {
    const by =
      metrics.length === outcomes.length ? `all ${metrics.length} metrics` : listText(metrics);
    return `${best} is best by ${by}`;
  });
  const sure = tested.filter((tests) => tests.every(({ pAdjusted }) => pAdjusted <= level)).length;
  const by = sure === 0 ? "none" : countText(sure);
  return `${where}${bests.join(", ")}; significantly better than every other method by ${by}.`;
}

function outcome(tests: readonly SignificanceTest[], best: string): string {
  const alike = tests.filter(({ pAdjusted }) => pAdjusted > level).map(({ method }) => method);
  if (alike.length === 0) return `${best} is significantly better than every other method`;
  if (alike.length === tests.length)
    return `${best} is best, but not significantly better than any other method`;
  return `${best} is best, but not significantly better than ${listText(alike)}`;
}

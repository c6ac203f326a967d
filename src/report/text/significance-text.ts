import type {
  SignificanceConclusion,
  SignificanceTest,
} from "../../analysis/calibration/significance.js";
import { listText } from "../../core/list-text.js";
import { numberColumns } from "../../views/number-columns.js";
import { countText, estimateText, probabilityText } from "../../views/number-text.js";
import type { ReadableConclusion, TextTable } from "../../views/text-table.js";

const names = {
  ece: "expected calibration error",
  nll: "negative log-likelihood",
  brier: "Brier score",
  accuracy: "accuracy",
} as const;
const level = 0.05;
const adjustedBy = {
  by: "by Benjamini and Yekutieli",
  bh: "by Benjamini and Hochberg",
  holm: "by Holm",
} as const;

/** Tests of every method against the best as people read them. */
export function readableSignificance(conclusion: SignificanceConclusion): ReadableConclusion {
  const { tests, adjust, warnings, unit, permutations, seed } = conclusion;
  const byMetric = new Map<SignificanceTest["metric"], SignificanceTest[]>();
  for (const test of tests) byMetric.set(test.metric, [...(byMetric.get(test.metric) ?? []), test]);
  return {
    verdict:
      tests.length === 0
        ? "Nothing can be concluded: no row is answered by every method."
        : significanceVerdict([...byMetric.values()]),
    tables: [
      {
        title: "Every method against the best",
        columns: [
          { title: "metric" },
          { title: "method" },
          ...numberColumns("n", "value", "of the best", "difference", "p", "adjusted p"),
        ],
        rows: [...byMetric].flatMap(([metric, its]) =>
          its.map((test, at) => [
            at === 0 ? `${names[metric]}, best: ${test.against}` : "",
            test.method,
            countText(test.n),
            ...[test.value, test.againstValue, test.difference].map(numberText),
            probabilityText(test.p),
            probabilityText(test.pAdjusted),
          ]),
        ),
        note:
          "Both values are of the n rows that the two answered. Difference: value minus that of the " +
          (adjust === "none"
            ? `best. Not adjusted for the number of tests; at or below ${level} a method `
            : `best. Adjusted over the tests of a metric ${adjustedBy[adjust]}; at or below ${level} a method `) +
          "is worse by more than chance.",
      },
      ...(conclusion.scores.some(({ unscored }) => unscored > 0) ? [scoreTable(conclusion)] : []),
    ],
    warnings,
    method:
      `Paired permutation tests, two-sided: ${countText(permutations)} times the predictions of each ` +
      `${unit} were swapped or not, seed ${seed}; p = (1 + permutations at least as far apart) / (1 + all).`,
  };
}

function scoreTable({ scores }: SignificanceConclusion): TextTable {
  return {
    title: "What is unscored",
    columns: [
      { title: "metric" },
      { title: "method" },
      ...numberColumns("n", "unscored", "value", "had unscored been wrong or right"),
    ],
    rows: scores.map(({ metric, method, n, unscored, value, bounds }, at) => [
      scores[at - 1]?.metric === metric ? "" : names[metric],
      method,
      ...[n, unscored].map(countText),
      value === null ? "–" : numberText(value),
      unscored === 0 || bounds.low === null || bounds.high === null
        ? "–"
        : `${numberText(bounds.low)} to ${numberText(bounds.high)}`,
    ]),
    note: "Each method over all rows that it answered; beside it the value over all its rows, had every unscored one been wrong, or right, with full confidence.",
  };
}

/** Which method is best by how many metrics, and whether that is more than chance; one metric is told whole. */
function significanceVerdict(tested: readonly (readonly SignificanceTest[])[]): string {
  const outcomes = tested.flatMap((tests) => {
    const [first] = tests;
    if (first === undefined) return [];
    return [{ metric: first.metric, best: first.against, said: outcome(tests, first.against) }];
  });
  const [first] = outcomes;
  if (first === undefined || outcomes.every(({ said }) => said === first.said)) {
    return `By ${listText(outcomes.map(({ metric }) => names[metric]))} ${first?.said}.`;
  }
  const metricsOf = new Map<string, string[]>();
  for (const { best, metric } of outcomes) {
    metricsOf.set(best, [...(metricsOf.get(best) ?? []), names[metric]]);
  }
  const bests = [...metricsOf].map(([best, metrics]) => {
    const by =
      metrics.length === outcomes.length ? `all ${metrics.length} metrics` : listText(metrics);
    return `${best} is best by ${by}`;
  });
  const sure = tested.filter((tests) => tests.every(({ pAdjusted }) => pAdjusted <= level)).length;
  const than = "better than every other by more than chance";
  return `${bests.join(", ")}; ${than} by ${sure === 0 ? "none" : countText(sure)}.`;
}

function outcome(tests: readonly SignificanceTest[], best: string): string {
  const alike = tests.filter(({ pAdjusted }) => pAdjusted > level).map(({ method }) => method);
  if (alike.length === 0) return `${best} is best, and every other is worse by more than chance`;
  if (alike.length === tests.length)
    return `${best} is best, but these rows can't tell it from any other`;
  return `${best} is best; these rows can't tell ${listText(alike)} from it`;
}

const numberText = (value: number) => estimateText({ value, low: null, high: null });

import type {
  SignificanceConclusion,
  SignificanceTest,
} from "../../analysis/calibration/significance.js";
import { listText } from "../../core/list-text.js";
import { countText, estimateText } from "./number-text.js";
import { probabilityText } from "./probability-text.js";
import type { ReadableConclusion, TextTable } from "./text-table.js";

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
        : sentences([...byMetric.values()]).join(" "),
    tables: [
      {
        title: "Every method against the best",
        columns: [
          { title: "metric" },
          { title: "method" },
          ...["n", "value", "of the best", "difference", "p", "adjusted p"].map((title) => ({
            title,
            align: "right" as const,
          })),
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
      ...["n", "unscored", "value", "had unscored been wrong or right"].map((title) => ({
        title,
        align: "right" as const,
      })),
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

/** Metrics of which the same is to be said share a sentence. */
function sentences(tested: readonly (readonly SignificanceTest[])[]): string[] {
  const metricsOf = new Map<string, string[]>();
  for (const tests of tested) {
    const [first] = tests;
    if (first === undefined) continue;
    const said = outcome(tests, first.against);
    metricsOf.set(said, [...(metricsOf.get(said) ?? []), names[first.metric]]);
  }
  return [...metricsOf].map(([said, metrics]) => `By ${listText(metrics)} ${said}.`);
}

function outcome(tests: readonly SignificanceTest[], best: string): string {
  const alike = tests.filter(({ pAdjusted }) => pAdjusted > level).map(({ method }) => method);
  if (alike.length === 0) return `${best} is best, and every other is worse by more than chance`;
  if (alike.length === tests.length)
    return `${best} is best, but these rows can't tell it from any other`;
  return `${best} is best; these rows can't tell ${alike.join(", ")} from it`;
}

const numberText = (value: number) => estimateText({ value, low: null, high: null });

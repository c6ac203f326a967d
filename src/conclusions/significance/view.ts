import type {
  SignificanceConclusion,
  SignificanceTest,
} from "../../analysis/calibration/significance.js";
import { listText } from "../../core/phrases.js";
import { countText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  probabilityColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";

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

/** Tests of every method against the best. */
export function significanceView(found: SignificanceConclusion): ViewWithData {
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
    caveats: warnings,
    method:
      `Paired permutation tests, two-sided: ${countText(permutations)} random swaps of two methods' predictions of each ` +
      `${unit}, seed ${seed}; p = (1 + permutations at least as far apart) / (1 + all).`,
  };
}

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
    numberColumn("of the best"),
    numberColumn("difference"),
    probabilityColumn("p"),
    probabilityColumn("adjusted p"),
  ],
  rows: tests.map(
    ({ metric, method, against, n, value, againstValue, difference, p, pAdjusted }) => [
      `${names[metric]}, best: ${against}`,
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
    numberColumn("range if unscored"),
  ],
  rows: scores.map(({ metric, method, n, unscored, value, bounds }) => [
    ...[names[metric], method, n, unscored, value],
    unscored === 0 ? null : bounds,
  ]),
  note: "Value: over all rows that the method answered. Range: over all its rows, if every unscored one were wrong, or right, with full confidence.",
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

/** Which method is best by how many metrics, and whether that is more than chance; one metric is told whole. */
function verdict(tested: readonly (readonly SignificanceTest[])[]): string {
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
  const by = sure === 0 ? "none" : countText(sure);
  return `${bests.join(", ")}; significantly better than every other method by ${by} of them.`;
}

function outcome(tests: readonly SignificanceTest[], best: string): string {
  const alike = tests.filter(({ pAdjusted }) => pAdjusted > level).map(({ method }) => method);
  if (alike.length === 0) return `${best} is significantly better than every other method`;
  if (alike.length === tests.length)
    return `${best} is best, but not significantly better than any other method`;
  return `${best} is best, but not significantly better than ${listText(alike)}`;
}

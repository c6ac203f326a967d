import {
  type AlsoEstimates,
  type AlsoMeasure,
  alsoMeasures,
} from "../../analysis/correlation/also.js";
import type { CorrelationConclusion } from "../../analysis/correlation/correlation.js";
import type { CorrelationMetric } from "../../analysis/correlation/correlation-metric.js";
import type { GroupedMethod } from "../../analysis/correlation/grouping.js";
import { listText } from "../../core/phrases.js";
import { mirrored } from "../../stats/estimate.js";
import { countText, pluralText } from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  probabilityColumn,
  textColumn,
  type ViewColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import {
  correlationFindings,
  type NamedMetric,
  rankedMetrics,
  rankedWithin,
  type ShownCorrelation,
} from "./verdict.js";

/** Metrics by how far they follow people, the closest first. */
export function correlationView(
  found: ShownCorrelation & { readonly verdict: string },
): ViewWithData {
  const weighted = "weighted" in found ? found.weighted : undefined;
  const { grouped } = found;
  const metrics = rankedMetrics(found);
  const undefinedOnes = metrics.flatMap(({ name, kendallTauB: { value, reason } }) =>
    value === null ? [`${name}: no correlation, since ${reason}`] : [],
  );
  return {
    verdict: found.verdict,
    findings: correlationFindings(found),
    tables: [
      ...(grouped === undefined ? [] : [withinTable(found, grouped)]),
      orderTable(found, metrics),
      ...differenceTables(found, metrics),
      ...(metrics.some(({ tieCalibration }) => tieCalibration) ? [tieTable(found, metrics)] : []),
      coefficientTable(found, metrics),
      ...alsoTables(found, metrics),
      ...williamsTables(found),
    ],
    data: data(found),
    caveats: [...found.warnings, ...undefinedOnes],
    method:
      `Brackets hold intervals: ${found.intervals.text}` +
      (grouped === undefined ? "." : `; of averages over groups ${grouped.intervals.text}.`) +
      (weighted === undefined ? "" : ` ${weighted}`),
  };
}

const unitOf = ({ groups }: ShownCorrelation) => (groups === undefined ? "rows" : "groups");

/** A row for each metric; the ratings that they are compared with stand first, once. */
const rowsOf = <Metric extends { readonly name: string }>(
  ratings: string,
  metrics: readonly Metric[],
  cells: (metric: Metric) => readonly Cell[],
): Cell[][] => metrics.map((metric) => [ratings, metric.name, ...cells(metric)]);

const columnsOf = (...columns: readonly ViewColumn[]): ViewColumn[] => [
  textColumn("ratings", { isGroup: true }),
  textColumn("metric"),
  ...columns,
];

function orderTable(found: ShownCorrelation, metrics: readonly NamedMetric[]): ViewTable {
  const { human, groups, seeds } = found;
  return {
    title: `How far metrics put ${unitOf(found)} in people's order`,
    columns: columnsOf(
      countColumn("n"),
      countColumn("unscored"),
      numberColumn("Kendall's tau-b"),
      percentColumn("pairs in people's order, %"),
    ),
    rows: rowsOf(`against ${human}`, metrics, (metric) => [
      ...[metric.n, metric.unscored, metric.kendallTauB, metric.pairwiseAccuracy],
    ]),
    note:
      `Pairs of ${unitOf(found)} that people tie are left out, pairs that only the metric ties ` +
      "count half; tossing a coin gives 50 %." +
      (groups === undefined
        ? ""
        : ` Rows were dealt into ${groups} groups, ${seeds} times, and values averaged; they move with the dealing, less with more --seeds.`),
  };
}

/** So many pairs are all shown; of more those with the best metric. */
const mostDifferences = 10;

/** How far metrics are apart on the rows that all have, each from the side of the one that follows people closer. */
function differenceTables(found: ShownCorrelation, metrics: readonly NamedMetric[]): ViewTable[] {
  const { differences = [], human } = found;
  const place = new Map(metrics.map(({ name }, at) => [name, at]));
  const placeOf = (name: string) => place.get(name) ?? 0;
  const sided = differences
    .map((one) =>
      placeOf(one.a) <= placeOf(one.b)
        ? one
        : {
            ...one,
            a: one.b,
            b: one.a,
            kendallTauB: mirrored(one.kendallTauB),
            pairwiseAccuracy: mirrored(one.pairwiseAccuracy),
          },
    )
    .sort((one, next) => placeOf(one.a) - placeOf(next.a) || placeOf(one.b) - placeOf(next.b));
  const isMany = sided.length > mostDifferences;
  const shown = isMany ? sided.filter(({ a }) => placeOf(a) === 0) : sided;
  if (shown.length === 0) return [];
  return [
    {
      title: "How far metrics are apart",
      isHeadline: true,
      columns: columnsOf(
        textColumn("against", { id: "beside" }),
        countColumn("n"),
        numberColumn("tau-b, difference"),
        percentColumn("pairs in people's order, difference in %"),
        probabilityColumn("adjusted p"),
      ),
      rows: shown.map(({ a, b, n, kendallTauB, pairwiseAccuracy, pAdjusted }) => [
        ...[`against ${human}`, a, b, n, kendallTauB, pairwiseAccuracy, pAdjusted],
      ]),
      note:
        "Paired: on the rows that every metric scored and people rated. p: two-sided, of no difference of tau-b, by the " +
        `method of the intervals, adjusted by Holm over ${pluralText(differences.length, "pair")}` +
        `${isMany ? "; --json has the others" : ""}.`,
    },
  ];
}

const tieTable = (
  { human }: CorrelationConclusion,
  metrics: readonly NamedMetric[],
): ViewTable => ({
  title: "Pairs as people have them, ties included",
  isHeadline: true,
  columns: columnsOf(
    percentColumn("equal scores tie, %"),
    numberColumn("epsilon"),
    percentColumn("calibrated, %"),
    percentColumn("held out, %"),
  ),
  rows: rowsOf(`against ${human}`, metrics, ({ tieCalibration: ties }) => [
    ...[ties?.accuracy ?? null, ties?.epsilon ?? null, ties?.calibrated ?? null],
    ties?.heldOut ?? null,
  ]),
  note:
    "A pair is right where both prefer the same row or both tie; scores that differ by no more than " +
    "epsilon, in the metric's units, tie. Calibrated: with the epsilon that is best for these rows, " +
    "which is optimistic; held out: with the best of the other half of the prompts. Intervals: delta " +
    "method. –: undefined, --json says why.",
});

const coefficientTable = (
  { human }: CorrelationConclusion,
  metrics: readonly NamedMetric[],
): ViewTable => ({
  title: "Other coefficients",
  columns: columnsOf(
    ...["Spearman", "Pearson", "Kendall's tau-c"].map((title) => numberColumn(title)),
  ),
  rows: rowsOf(`against ${human}`, metrics, (metric) => [
    ...[metric.spearman, metric.pearson, metric.kendallTauC],
  ]),
  note:
    "Spearman is Pearson's of average ranks. –: undefined, --json says why; p-values, which take " +
    "rows for independent, are there, too.",
});

const alsoTitles: Readonly<Record<AlsoMeasure, string>> = {
  iccAbsolute: "ICC(A,1)",
  iccConsistency: "ICC(C,1)",
  plcc: "PLCC, logistic",
  partialPearson: "partial Pearson",
  partialSpearman: "partial Spearman",
};

/** A table of what was asked for beside the usual coefficients, and one of the same within groups. */
function alsoTables(found: CorrelationConclusion, metrics: readonly NamedMetric[]): ViewTable[] {
  const { human, given } = found;
  const shown = alsoMeasures.filter((one) => metrics.some((metric) => metric[one] !== undefined));
  const constant = given === undefined ? "" : ` Partial: with ${listText(given)} held constant.`;
  const table = (title: string, of: (metric: NamedMetric) => AlsoEstimates): ViewTable => ({
    title,
    isHeadline: true,
    columns: columnsOf(...shown.map((one) => numberColumn(alsoTitles[one]))),
    rows: rowsOf(`against ${human}`, metrics, (metric) =>
      shown.map((one) => of(metric)[one] ?? null),
    ),
    note:
      "ICC: of one score and one rating in one unit, absolute agreement (A) and consistency (C). PLCC: after " +
      `a four-parameter logistic fit (VQEG), which the interval takes for known.${constant}`,
  });
  if (shown.length === 0) return [];
  const within = metrics.some(({ grouped }) => grouped !== undefined);
  return [
    table("Also asked for", (metric) => metric),
    ...(within ? [table("The same within groups, averaged", ({ grouped = {} }) => grouped)] : []),
  ];
}

const williamsTables = ({ williams, human }: CorrelationConclusion): ViewTable[] =>
  williams === undefined
    ? []
    : [
        {
          title: "Williams' test of Pearson's correlations",
          isHeadline: true,
          columns: columnsOf(
            textColumn("against"),
            countColumn("n"),
            ...["difference", "t", "adjusted p"].map((title) => numberColumn(title)),
          ),
          rows: williams.map(({ a, b, n, difference, t, pAdjusted }) => [
            ...[human, a, b, n, difference, t, pAdjusted],
          ]),
          note: "Two-sided, adjusted by Holm; rows count as independent, so rows of one prompt overstate it.",
        },
      ];

/** Averages over groups, a row for each metric. */
const withinTable = (
  found: CorrelationConclusion,
  { average, weight, undefinedGroups, groups }: GroupedMethod,
): ViewTable => ({
  title: `Within ${pluralText(groups, "group")}, averaged`,
  isHeadline: true,
  columns: columnsOf(
    countColumn("groups"),
    ...["Kendall's tau-b", "Spearman", "Pearson"].map((title) => numberColumn(title)),
    percentColumn("pairs in people's order, %"),
  ),
  rows: rowsOf(`against ${found.human}`, rankedWithin(found), (metric) => [
    `${countText(metric.groups)} of ${countText(metric.groups + metric.undefined)}`,
    ...[metric.kendallTauB, metric.spearman, metric.pearson, metric.pairwiseAccuracy],
  ]),
  note:
    `${average === "fisher" ? "Averaged in Fisher's z" : "Plain means of coefficients"}, ` +
    `${weight === "n" ? "groups weighted by their rows" : "each group counting once"}; groups ` +
    `without a coefficient ${undefinedGroups === "zero" ? "count 0" : "are left out"}. The other ` +
    "tables pool all rows.",
});

/** A column of the file: its header, and its cell for a metric; an estimate takes three columns. */
type DataColumn = readonly [column: ViewColumn, cell: (metric: CorrelationMetric) => Cell];

/** A row for each metric; ties, groups and further measures only where they were asked for. */
function data({ human, metrics }: CorrelationConclusion): ViewWithData["data"] {
  const all = Object.values(metrics);
  const estimate = (id: string) => numberColumn(id, { spread: "interval" });
  const coefficients = ["spearman", "kendallTauB", "pearson"] as const;
  const columns: DataColumn[] = [
    [countColumn("n"), ({ n }) => n],
    [countColumn("unscored"), ({ unscored }) => unscored],
    ...([...coefficients, "pairwiseAccuracy", "kendallTauC"] as const).map(
      (name): DataColumn => [estimate(name), (metric) => metric[name]],
    ),
    ...coefficients.map((name): DataColumn => [numberColumn(`${name}P`), ({ p }) => p[name]]),
    ...(all.some(({ tieCalibration }) => tieCalibration) ? tieColumns : []),
    ...(all.some(({ grouped }) => grouped) ? groupedColumns(estimate) : []),
    ...alsoMeasures.flatMap((measure) => {
      const within = `grouped${measure.charAt(0).toUpperCase()}${measure.slice(1)}`;
      const pooled: DataColumn = [estimate(measure), (metric) => metric[measure] ?? null];
      const inGroups: DataColumn = [estimate(within), ({ grouped }) => grouped?.[measure] ?? null];
      return [
        ...(all.some((metric) => metric[measure] !== undefined) ? [pooled] : []),
        ...(all.some(({ grouped }) => grouped?.[measure] !== undefined) ? [inGroups] : []),
      ];
    }),
  ];
  return {
    columns: [textColumn("metric"), textColumn("human"), ...columns.map(([column]) => column)],
    rows: Object.entries(metrics).map(([name, metric]) => [
      ...[name, human],
      ...columns.map(([, cell]) => cell(metric)),
    ]),
  };
}

const tieColumns: readonly DataColumn[] = [
  [numberColumn("tieAccuracy"), ({ tieCalibration: ties }) => ties?.accuracy.value ?? null],
  [numberColumn("tieEpsilon"), ({ tieCalibration: ties }) => ties?.epsilon ?? null],
  [numberColumn("tieCalibrated"), ({ tieCalibration: ties }) => ties?.calibrated.value ?? null],
  [numberColumn("tieHeldOut"), ({ tieCalibration: ties }) => ties?.heldOut ?? null],
];

const groupedColumns = (estimate: (id: string) => ViewColumn): DataColumn[] => [
  [countColumn("groups"), ({ grouped }) => grouped?.groups ?? null],
  [countColumn("undefined"), ({ grouped }) => grouped?.undefined ?? null],
  [textColumn("average"), ({ grouped }) => grouped?.average ?? null],
  [estimate("groupedSpearman"), ({ grouped }) => grouped?.spearman ?? null],
  [estimate("groupedKendallTauB"), ({ grouped }) => grouped?.kendallTauB ?? null],
  [estimate("groupedPearson"), ({ grouped }) => grouped?.pearson ?? null],
  [estimate("groupedKendallTauC"), ({ grouped }) => grouped?.kendallTauC ?? null],
  [estimate("groupedPairwiseAccuracy"), ({ grouped }) => grouped?.pairwiseAccuracy ?? null],
];

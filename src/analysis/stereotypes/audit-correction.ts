import { randomFrom } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import { influenceMargin, spreadOf } from "../../stats/influence-error.js";
import { percentileInterval } from "../../stats/percentile-interval.js";
import {
  type CorrectedShare,
  type JudgedCounts,
  roganGladen,
  roganGladenInfluence,
  totalCounts,
} from "../../stats/rogan-gladen.js";
import { weightedResamples } from "../../stats/weighted-bootstrap.js";
import {
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  isByInfluence,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import { numbered } from "../pairs/pair-sums.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** The share of answers that say present, as an expert would have given them. */
export interface CorrectedShareOf {
  /** Null where all of them are pooled. */
  readonly category: string | null;
  readonly model: string | null;
  readonly phase: StereotypeRow["phase"];
  /** The judge's answers, and how many of them an expert answered, too. */
  readonly n: number;
  readonly labelled: number;
  /** The index by the judge's answers alone. */
  readonly apparent: number | null;
  /** Shares of what the expert calls present (absent) that the judge calls so too. */
  readonly sensitivity: number | null;
  readonly specificity: number | null;
  readonly corrected: Estimate;
  /** The corrected share fell outside of 0 to 1 and was cut: this is where it fell. */
  readonly truncatedFrom?: number;
}

/** Fall of the corrected share from initial to refined prompts. */
export interface CorrectedFall {
  readonly category: string | null;
  readonly apparent: number | null;
  readonly corrected: Estimate;
}

export interface CorrectionConclusion {
  readonly shares: readonly CorrectedShareOf[];
  /** All categories pooled first, then each. */
  readonly falls: readonly CorrectedFall[];
  readonly warnings: readonly string[];
  readonly method: string;
  readonly intervals: IntervalMethod;
}

/** In so many of the resamples a share may be undefined before its interval says nothing. */
const mostUndefined = 0.05;

/**
 * Corrects what a judge finds by its errors on the answers that an expert gave as well: Rogan and
 * Gladen's estimator for all answers, each category and each category x model, before and after. Where
 * several strata (category x model x phase) are pooled, a labelled answer counts as often as there are
 * answers in its stratum for each labelled one, since strata are labelled at different rates. Intervals
 * draw whole queries, with their answers and labels together, or are those of the delta method. What
 * leaves 0 to 1 is cut there, in each resample as well, and named.
 *
 * @param rows those without a judge's answer are in nothing.
 * @example auditCorrection(rows).falls[0]?.corrected // { value: 0.2, low: 0.11, high: 0.31 }
 */
export function auditCorrection(
  rows: readonly StereotypeRow[],
  options: IntervalOptions = {},
): CorrectionConclusion {
  const judged = rows.filter(({ present }) => present !== null);
  const queries = numbered([...new Set(judged.map(({ query }) => query))].sort());
  const method = intervalMethod(options, { clusters: queries.names.length, clusteredBy: "query" });
  const scopes = scopesOf(judged);
  const weights = strataWeights(judged);
  const clusters = scopes.map((scope) => {
    const counts = queries.names.map(emptyCounts);
    for (const row of judged) {
      const into = counts[queries.numberOf(row.query)];
      if (into !== undefined && isIn(scope, row)) add(into, row, weights);
    }
    return counts;
  });
  const resampled = isByInfluence(method.method) ? undefined : resample(clusters, method);
  const shares = scopes.map((scope, at): CorrectedShareOf => {
    const of = clusters[at] ?? [];
    const found = roganGladen(totalCounts(of));
    const its = judged.filter((row) => isIn(scope, row));
    return {
      ...scope,
      n: its.length,
      labelled: its.filter(isLabelled).length,
      apparent: known(found.apparent),
      sensitivity: known(found.sensitivity),
      specificity: known(found.specificity),
      corrected: withBounds(found.value, reasonOf(found), {
        method,
        resampled: resampled?.[at],
        influence: () => roganGladenInfluence(of),
        within: [0, 1],
        clusters: of.filter(({ present, absent }) => present + absent > 0).length,
      }),
      ...(found.raw === found.value || Number.isNaN(found.raw) ? {} : { truncatedFrom: found.raw }),
    };
  });
  const indexOf = (category: string | null, phase: StereotypeRow["phase"]) =>
    scopes.findIndex(
      (scope) => scope.category === category && scope.model === null && scope.phase === phase,
    );
  const falls = [null, ...categoriesOf(judged)].flatMap((category): CorrectedFall[] => {
    const [a, b] = [indexOf(category, "initial"), indexOf(category, "refined")];
    const [before, after] = [shares[a], shares[b]];
    if (before === undefined || after === undefined) return [];
    const reason = before.corrected.reason ?? after.corrected.reason;
    const value = (before.corrected.value ?? Number.NaN) - (after.corrected.value ?? Number.NaN);
    const [first, second] = [resampled?.[a], resampled?.[b]];
    return [
      {
        category,
        apparent: known((before.apparent ?? Number.NaN) - (after.apparent ?? Number.NaN)),
        corrected: withBounds(value, reason ?? "undefined", {
          method,
          resampled: first?.map((each, time) => each - (second?.[time] ?? Number.NaN)),
          influence: () => {
            const other = roganGladenInfluence(clusters[b] ?? []);
            return roganGladenInfluence(clusters[a] ?? []).map((one, c) => one - (other[c] ?? 0));
          },
          within: [-1, 1],
          clusters: (clusters[a] ?? []).filter(({ present, absent }) => present + absent > 0)
            .length,
        }),
      },
    ];
  });
  return {
    shares,
    falls,
    warnings: [...unlabelledStrata(judged, weights), ...warningsOf(shares)],
    method: `Rogan and Gladen's correction by the judge's errors on the labelled answers; ${method.text}`,
    intervals: method,
  };
}

interface Scope {
  readonly category: string | null;
  readonly model: string | null;
  readonly phase: StereotypeRow["phase"];
}

const phases = ["initial", "refined"] as const;
const categoriesOf = (rows: readonly StereotypeRow[]) => [
  ...new Set(rows.map(({ category }) => category)),
];

/** Corrections for all phases with an answer: everything, each category, and each model in it. */
function scopesOf(rows: readonly StereotypeRow[]): Scope[] {
  const scopes: Scope[] = [];
  for (const category of [null, ...categoriesOf(rows)]) {
    const its = rows.filter((row) => category === null || row.category === category);
    const models = [...new Set(its.map(({ model }) => model))];
    for (const model of category === null || models.length < 2 ? [null] : [null, ...models]) {
      for (const phase of phases) {
        const scope = { category, model, phase };
        if (its.some((row) => isIn(scope, row))) scopes.push(scope);
      }
    }
  }
  return scopes;
}

const isIn = ({ category, model, phase }: Scope, row: StereotypeRow) =>
  row.phase === phase &&
  (category === null || row.category === category) &&
  (model === null || row.model === model);

const isLabelled = ({ expert = null }: StereotypeRow) => expert !== null;
const stratumOf = ({ category, model, phase }: StereotypeRow) =>
  JSON.stringify([category, model, phase]);

/** How many answers of its stratum each labelled one stands for. */
function strataWeights(rows: readonly StereotypeRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, { answers: number; labelled: number }>();
  for (const row of rows) {
    const before = counts.get(stratumOf(row)) ?? { answers: 0, labelled: 0 };
    counts.set(stratumOf(row), {
      answers: before.answers + 1,
      labelled: before.labelled + (isLabelled(row) ? 1 : 0),
    });
  }
  return new Map(
    [...counts].map(([name, { answers, labelled }]) => [
      name,
      labelled === 0 ? 0 : answers / labelled,
    ]),
  );
}

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

const emptyCounts = (): Writable<JudgedCounts> => ({
  answers: 0,
  flagged: 0,
  present: 0,
  hits: 0,
  absent: 0,
  rejections: 0,
});

function add(
  counts: Writable<JudgedCounts>,
  row: StereotypeRow,
  weights: ReadonlyMap<string, number>,
): void {
  const says = row.present === 1;
  counts.answers += 1;
  if (says) counts.flagged += 1;
  const weight = weights.get(stratumOf(row)) ?? 0;
  if (row.expert === 1) {
    counts.present += weight;
    if (says) counts.hits += weight;
  } else if (row.expert === 0) {
    counts.absent += weight;
    if (!says) counts.rejections += weight;
  }
}

/** The corrected share of each scope in every resample, all from the same draws. */
function resample(
  scopes: readonly (readonly JudgedCounts[])[],
  { resamples = 0, seed = 0, clusters }: IntervalMethod,
): Float64Array[] {
  return weightedResamples({
    cluster: Int32Array.from({ length: clusters }, (_, at) => at),
    clusters,
    count: scopes.length,
    statistics(weights, into) {
      scopes.forEach((counts, at) => {
        into[at] = roganGladen(totalCounts(counts, weights)).value;
      });
    },
    resamples,
    random: randomFrom(seed, "Rogan-Gladen bootstrap"),
  });
}

function withBounds(
  value: number,
  reason: string,
  {
    resampled,
    influence,
    within,
    clusters,
    method: { method },
  }: {
    readonly method: IntervalMethod;
    readonly resampled: Float64Array | undefined;
    influence(): Float64Array;
    readonly within: readonly [number, number];
    readonly clusters: number;
  },
): Estimate {
  if (Number.isNaN(value)) return undefinedEstimate(reason);
  const without = (why: string): Estimate => ({ value, low: null, high: null, reason: why });
  if (clusters < 2) return without("no interval from the labels of one query");
  if (isByInfluence(method)) {
    const margin = influenceMargin(method, { ...spreadOf(influence()), clusters });
    return withInterval(value, [value - margin, value + margin], { within, whenNone: reason });
  }
  const drawn = resampled ?? new Float64Array();
  const undefinedShare = drawn.filter(Number.isNaN).length / Math.max(1, drawn.length);
  const bounds = percentileInterval(drawn);
  if (bounds === undefined || undefinedShare > mostUndefined) {
    return without(
      `no interval: in ${(undefinedShare * 100).toFixed(0)} % of the resamples the labels do not say that the judge is better than chance`,
    );
  }
  return withInterval(value, bounds, { within, whenNone: reason });
}

function reasonOf({ apparent, sensitivity, specificity }: CorrectedShare): string {
  if (Number.isNaN(apparent)) return "no answer of the judge";
  if (Number.isNaN(sensitivity) && Number.isNaN(specificity)) return "no label of an expert";
  if (Number.isNaN(sensitivity)) {
    return "no labelled answer that the expert calls present, so the judge's sensitivity is not known";
  }
  if (Number.isNaN(specificity)) {
    return "no labelled answer that the expert calls absent, so the judge's specificity is not known";
  }
  return "sensitivity and specificity add up to 1 or less: by these labels the judge is no better than chance";
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Strata whose errors are taken to be those of the others where they are pooled. */
function unlabelledStrata(
  rows: readonly StereotypeRow[],
  weights: ReadonlyMap<string, number>,
): string[] {
  const without = new Map<string, string>();
  for (const row of rows) {
    if (weights.get(stratumOf(row)) !== 0) continue;
    without.set(stratumOf(row), `${row.category}, ${row.model}, ${row.phase}`);
  }
  if (without.size === 0 || without.size === weights.size) return [];
  const names = [...without.values()].slice(0, 5).join("; ");
  return [
    `${without.size} of ${weights.size} strata have no label (${names}${without.size > 5 ? "; …" : ""}): where they are pooled with others, the judge is taken to err there as it does in those`,
  ];
}

function warningsOf(shares: readonly CorrectedShareOf[]): string[] {
  const cut = shares.filter(({ truncatedFrom }) => truncatedFrom !== undefined);
  if (cut.length === 0) return [];
  const names = cut
    .slice(0, 5)
    .map(
      ({ category, model, phase, truncatedFrom = 0 }) =>
        [category ?? "all categories", model, phase].filter((word) => word !== null).join(", ") +
        ` (from ${truncatedFrom.toFixed(3).replace("-", "−")})`,
    );
  const more = cut.length > names.length ? ` and ${cut.length - names.length} more` : "";
  return [
    `corrected shares that left 0 to 1 are cut there: ${names.join("; ")}${more}. The judge flags less, or more, than its errors alone would`,
  ];
}

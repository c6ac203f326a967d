import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { coded, codesTogether } from "../../core/row-codes.js";
import { nameCount, type TextColumn, textAt } from "../../core/text-column.js";
import {
  bradleyTerryOf,
  type PairedCount,
  type PairedCounts,
  pairedCounts,
  type TieModel,
  unbeaten,
} from "../../stats/bradley-terry.js";
import type { Estimate } from "../../stats/estimate.js";
import { fewClusters } from "../inference/few-clusters.js";
import {
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
  unitsText,
} from "../inference/intervals.js";
import {
  checkCrowd,
  crowdBradleyTerry,
  crowdIntervals,
  hardlyKnown,
  reliabilityByName,
} from "./crowd-bradley-terry.js";
import {
  comparedCells,
  comparisonsIn,
  type PreferenceClusters,
  type PreferenceRow,
  type PreferenceTable,
  type PreferenceUnit,
  preferenceClusters,
  preferenceTable,
  type RaterKind,
  textsIn,
} from "./preference-cells.js";
import {
  type PreferenceShares,
  preferenceEstimates,
  preferenceShares,
} from "./preference-estimates.js";

export interface PreferenceOptions extends IntervalOptions {
  /** Whether a tie is half a win for each (default) or an outcome of its own (Davidson 1970). */
  readonly ties?: TieModel | undefined;
  /** So many wins are added each way between any two models. Default 0. */
  readonly prior?: number | undefined;
  /**
   * Whose comparisons are taken together for intervals. Default: annotators where two or more are named,
   * else prompts. Where annotators share prompts, `both` allows for what all say of one prompt and for
   * what one says of all (two-way clustering; by the delta method).
   */
  readonly cluster?: PreferenceUnit | undefined;
  /** Whether annotators are as reliable as each other (default), or each as far as found (Chen et al. 2013). */
  readonly raters?: RaterKind | undefined;
}

/** Conclusion on one model. */
export interface PreferredModel {
  /** Comparisons with an answer. */
  readonly n: number;
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  /** Log odds, of mean 0 over models. */
  readonly strength: Estimate;
  /**
   * Which places it may have, from 1: best is 1 + the models whose interval lies above its own, worst is
   * all models minus those whose interval lies below.
   */
  readonly rank: { readonly best: number; readonly worst: number };
  /** The strength of the strongest model minus its own. */
  readonly behind: Estimate;
}

/** Conclusion on two models that were compared. */
export interface PreferredPair {
  readonly a: string;
  readonly b: string;
  readonly n: number;
  /** How often a was preferred to b, in [0, 1]; a tie is half. */
  readonly winRate: Estimate;
  /** How often a was preferred, b, and neither. */
  readonly shares: PreferenceShares;
}

export interface PreferenceConclusion {
  readonly n: number;
  readonly unscored: number;
  readonly ties: number;
  readonly models: Readonly<Record<string, PreferredModel>>;
  /** Pairs that were compared, models in the order of their names. */
  readonly pairs: readonly PreferredPair[];
  /** How often the image shown first was preferred, in [0, 1]; a tie is half. */
  readonly firstShown: Estimate;
  readonly tieModel: TieModel;
  /** Davidson's nu: a tie of two equals is nu times as likely as a win of one. */
  readonly nu?: number;
  readonly prior: number;
  /** By `crowd-bt`: how often each annotator says what the strengths would have them say. */
  readonly raters?: Readonly<
    Record<string, { readonly n: number; readonly reliability: Estimate }>
  >;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

/**
 * Which of several models people prefer, from comparisons of two images each: Bradley and Terry's
 * strengths (`bradleyTerry`), win rates of pairs, and how often the image shown first was preferred.
 * Intervals draw whole annotators or, where fewer than two are named, prompts, else rows; above 10,000
 * of them they come from influences (the delta method). Where the graph of wins is not strongly
 * connected, strengths are undefined: those of models that never lost would be infinite.
 *
 * @throws InputError for a row with one model twice.
 * @example
 * preferences([
 *   { a: "x", b: "y", preferred: "a" }, { a: "y", b: "x", preferred: "b" },
 *   { a: "x", b: "y", preferred: "a" }, { a: "y", b: "x", preferred: "a" },
 * ]).models.x?.strength.value // 0.549…: half of log 3
 */
export const preferences = (
  rows: readonly PreferenceRow[],
  options: PreferenceOptions = {},
): PreferenceConclusion => preferencesOf(preferenceTable(rows), options);

/** The same of rows by column. */
export function preferencesOf(
  table: PreferenceTable,
  {
    ties: tieModel = "half",
    prior = 0,
    cluster,
    raters = "alike",
    ...options
  }: PreferenceOptions = {},
): PreferenceConclusion {
  const { a, b, preferred } = table;
  const rows = Int32Array.from(preferred.keys());
  const alike = rows.find((row) => textAt(a, row) === textAt(b, row));
  if (alike !== undefined) {
    throw new InputError(
      `Expected two models in each row but received "${textAt(a, alike)}" twice`,
    );
  }
  const names = [...new Set([...a.names, ...b.names])].sort();
  const answered = rows.filter((row) => (preferred[row] ?? -1) >= 0);
  const n = comparisonsIn(table, answered);
  const clusters = preferenceClusters(table, answered, cluster);
  if (raters === "crowd-bt") checkCrowd(table, { clusters, tieModel, interval: options.interval });
  const method = preferenceMethod(
    raters === "crowd-bt" ? crowdIntervals(options) : options,
    clusters,
  );
  const compared = comparedCells(table, { rows: answered, names, cluster: clusters });
  const withPrior = addedPrior(names.length, prior);
  const fitCrowd =
    raters === "alike" || answered.length === 0
      ? undefined
      : crowdBradleyTerry(compared, {
          models: names.length,
          annotators: clusters.clusters,
          withPrior,
        });
  const crowd = fitCrowd?.();
  const found = preferenceEstimates(compared, {
    crowd:
      fitCrowd && ((weights) => (weights === undefined ? crowd : fitCrowd(weights, crowd))?.fitted),
    strengthsOf: (counts, start) =>
      bradleyTerryOf(withPrior(counts), { models: names.length, ties: tieModel, start }),
    models: names.length,
    clusters,
    method,
  });
  const { pairs } = compared;
  const shares = preferenceShares(compared, { clusters, method });
  const reason = whyUndefined(pairs, { names, tieModel });
  const strengths = found.strengths ?? names.map(() => undefinedEstimate(reason));
  const countOf = (of: (pair: PairedCount) => readonly [number, number]) => (model: number) =>
    pairs.reduce((sum, pair) => {
      const [first, second] = of(pair);
      return sum + (pair.a === model ? first : pair.b === model ? second : 0);
    }, 0);
  const wins = countOf((pair) => [pair.wins, pair.losses]);
  const losses = countOf((pair) => [pair.losses, pair.wins]);
  const tied = countOf((pair) => [pair.ties, pair.ties]);
  const models = names.map((name, at) => {
    const counts = { n: wins(at) + tied(at) + losses(at), wins: wins(at), ties: tied(at) };
    const strength = strengths[at] ?? undefinedEstimate(reason);
    const behind = found.behind?.[at] ?? undefinedEstimate(reason);
    const rank = rankOf(strength, strengths);
    return [name, { ...counts, losses: losses(at), strength, rank, behind }] as const;
  });
  return {
    n,
    unscored: comparisonsIn(table, rows) - n,
    ties: pairs.reduce((sum, pair) => sum + pair.ties, 0),
    models: Object.fromEntries(models),
    pairs: pairs.map(({ a, b, ...counts }, at) => ({
      a: names[a] ?? "",
      b: names[b] ?? "",
      n: counts.wins + counts.ties + counts.losses,
      winRate: found.winRates[at] ?? undefinedEstimate(noAnswer),
      shares: shares[at] ?? noShares,
    })),
    firstShown: found.firstShown,
    tieModel,
    ...(found.nu === undefined ? {} : { nu: found.nu }),
    prior,
    ...(crowd && { raters: reliabilityByName(table, { answered, clusters, compared, crowd }) }),
    warnings: [
      ...preferenceWarnings(table, { rows, answered: n, names, pairs, method }),
      ...(crowd === undefined ? [] : hardlyKnown(compared, clusters.clusters)),
    ],
    intervals: method,
  };
}

/** Adds wins each way between any two models; where nothing was compared, a prior alone ranks nobody. */
function addedPrior(models: number, prior: number): (counts: PairedCounts) => PairedCounts {
  if (prior === 0) return (counts) => counts;
  const added = pairedCounts(
    Array.from({ length: models }, (_, a) =>
      Array.from({ length: models - a - 1 }, (_, at): PairedCount => {
        return { a, b: a + 1 + at, wins: prior, losses: prior, ties: 0 };
      }),
    ).flat(),
  );
  return (counts) =>
    counts.a.length === 0
      ? counts
      : {
          a: Int32Array.from([...counts.a, ...added.a]),
          b: Int32Array.from([...counts.b, ...added.b]),
          wins: Float64Array.from([...counts.wins, ...added.wins]),
          losses: Float64Array.from([...counts.losses, ...added.losses]),
          ties: Float64Array.from([...counts.ties, ...added.ties]),
        };
}

/** @throws InputError where resamples are wanted of rows that share annotators and prompts. */
function preferenceMethod(
  options: IntervalOptions,
  { clusteredBy, clusters, ways }: PreferenceClusters,
): IntervalMethod {
  if (ways === undefined) return intervalMethod(options, { clusters, clusteredBy });
  if (options.interval !== undefined && options.interval !== "delta") {
    throw new InputError(
      `Expected delta for --interval with --cluster both but received ${options.interval}`,
      { hint: "Resamples draw clusters of one kind." },
    );
  }
  const { annotator, prompt } = ways;
  const shared = { clusteredBy, clusters: annotator.clusters };
  const crossedWith = { clusteredBy: "prompt", clusters: prompt.clusters } as const;
  return {
    ...intervalMethod({ interval: "delta" }, shared),
    crossedWith,
    text:
      `95 % delta method over ${unitsText(annotator.clusters, "annotator")} and ` +
      `${unitsText(prompt.clusters, "prompt")}, two-way`,
  };
}

const noShares: PreferenceShares = {
  a: undefinedEstimate("no row has a preference"),
  b: undefinedEstimate("no row has a preference"),
  tie: undefinedEstimate("no row has a preference"),
};

const noAnswer = "no row has a preference";

function whyUndefined(
  pairs: readonly PairedCount[],
  { names, tieModel }: { readonly names: readonly string[]; readonly tieModel: TieModel },
): string {
  if (pairs.length === 0) return noAnswer;
  const top = unbeaten(pairs, names.length);
  if (top === undefined) {
    return `no finite strengths are likeliest${tieModel === "davidson" ? " by Davidson's model" : ""}`;
  }
  const never = listText(top.map((model) => names[model] ?? ""));
  return `the graph of wins is not strongly connected: ${never} never lost to another model, nor tied with one`;
}

function rankOf({ low, high }: Estimate, all: readonly Estimate[]) {
  const above = all.filter((one) => one.low !== null && high !== null && one.low > high).length;
  const below = all.filter((one) => one.high !== null && low !== null && one.high < low).length;
  return { best: 1 + above, worst: all.length - below };
}

/** Caveats of preferences, a sentence each. */
function preferenceWarnings(
  { prompt, annotator, count, arePromptsShared }: PreferenceTable,
  {
    rows,
    answered,
    names,
    pairs,
    method,
  }: {
    readonly rows: Int32Array;
    readonly answered: number;
    readonly names: readonly string[];
    readonly pairs: readonly PairedCount[];
    readonly method: IntervalMethod;
  },
): string[] {
  const all = comparisonsIn({ count }, rows);
  const unscored = all - answered;
  const people = textsIn(annotator, rows);
  const unnamed = comparisonsIn(
    { count },
    rows.filter((row) => (annotator.codes[row] ?? -1) < 0),
  );
  const possible = (names.length * (names.length - 1)) / 2;
  return [
    ...(unscored === 0
      ? []
      : [`${unscored} of ${all} rows ${unscored === 1 ? "is" : "are"} unscored and excluded`]),
    ...(pairs.length === possible
      ? []
      : [`${possible - pairs.length} of ${possible} pairs of models were never compared`]),
    ...(people === 1
      ? ["all preferences are of one annotator: intervals say nothing of other people"]
      : []),
    ...(people > 1 && unnamed > 0
      ? [`${unnamed} of ${all} rows name no annotator; each counts as one of its own`]
      : []),
    ...(people > 1 &&
    (arePromptsShared ?? isShared(prompt, annotator)) &&
    method.clusteredBy === "annotator" &&
    method.crossedWith === undefined
      ? [
          "intervals allow for annotators, not for prompts, and may be too narrow: add --cluster both, if each row is " +
            "one comparison",
        ]
      : []),
    ...fewClusters(method),
    ...(method.crossedWith === undefined ? [] : fewClusters(method.crossedWith)),
  ];
}

/** Tests if two annotators or more answered about most prompts. */
function isShared(prompt: TextColumn, annotator: TextColumn): boolean {
  const people = codesTogether(coded(prompt), coded(annotator));
  const isMet = new Uint8Array(people.count);
  const peopleOf = new Int32Array(nameCount(prompt));
  for (let row = 0; row < people.codes.length; row++) {
    const both = people.codes[row] ?? -1;
    if (both < 0 || isMet[both] === 1) continue;
    isMet[both] = 1;
    const its = prompt.codes[row] ?? 0;
    peopleOf[its] = (peopleOf[its] ?? 0) + 1;
  }
  const shared = peopleOf.filter((count) => count > 1).length;
  return 2 * shared > peopleOf.filter((count) => count > 0).length;
}

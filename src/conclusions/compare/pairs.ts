import type { ComparedPair } from "../../analysis/comparison/compared-pair.js";
import type { ComparisonConclusion } from "../../analysis/comparison/comparison.js";
import type { CorrectedPair, CountedPair } from "../../analysis/comparison/comparison-labels.js";
import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import { type Estimate, mirrored } from "../../stats/estimate.js";

/** What ranks models. */
type Ranked = Pick<ComparisonConclusion, "models" | "direction">;
type Compared = Pick<ComparedPair, "a" | "b" | "difference" | "winRate">;

/** A pair seen from the side of one of its two models. */
export interface SidedPair<Pair extends Compared> {
  readonly model: string;
  readonly other: string;
  /** Its mean minus the other's. */
  readonly difference: Estimate;
  /** How often it wins. */
  readonly winRate: Estimate;
  readonly pair: Pair;
}

/** The models, best mean first; those without a score last. */
export function rankedModels({ models, direction }: Ranked): string[] {
  const sign = direction === "higher" ? 1 : -1;
  const rank = (model: string) => {
    const value = models[model]?.mean.value ?? null;
    return value === null ? Number.NEGATIVE_INFINITY : sign * value;
  };
  return Object.keys(models).sort((one, other) =>
    rank(other) > rank(one) ? 1 : rank(other) < rank(one) ? -1 : 0,
  );
}

/** How to find the pair of two models, seen from the side of the first. */
export function sidesOf<Pair extends Compared>(
  pairs: readonly Pair[],
): (model: string, other: string) => SidedPair<Pair> | undefined {
  const found = new Map<string, Map<string, Pair>>();
  for (const pair of pairs) {
    const its = found.get(pair.a);
    if (its === undefined) found.set(pair.a, new Map([[pair.b, pair]]));
    else its.set(pair.b, pair);
  }
  return (model, other) => {
    const pair = found.get(model)?.get(other) ?? found.get(other)?.get(model);
    return pair && sided(pair, model);
  };
}

/** A pair from the side of one of its models. */
function sided<Pair extends Compared>(pair: Pair, model: string): SidedPair<Pair> {
  const { a, b, difference, winRate } = pair;
  return a === model
    ? { model: a, other: b, difference, winRate, pair }
    : {
        model: b,
        other: a,
        pair,
        difference: mirrored(difference, 0),
        winRate: mirrored(winRate, 1),
      };
}

/** Every pair from the side of the better one, the best model's first. */
export function sidedPairs<Pair extends Compared>(
  conclusion: Ranked,
  pairs: readonly Pair[],
): SidedPair<Pair>[] {
  const rank = new Map(rankedModels(conclusion).map((model, at) => [model, at]));
  const rankOf = (model: string) => rank.get(model) ?? 0;
  return pairs
    .map((pair) => sided(pair, rankOf(pair.a) < rankOf(pair.b) ? pair.a : pair.b))
    .sort(
      (one, next) =>
        rankOf(one.model) - rankOf(next.model) || rankOf(one.other) - rankOf(next.other),
    );
}

/** Verdict of test and interval on a model beside another. */
export type Standing = "better" | "worse" | "unclear";

const level = 0.05;

/**
 * Better or worse only where both the adjusted test and the interval of the difference say so, of six prompts
 * at least: a t-test of two may come to any p.
 */
export function standing(
  { difference, pair }: SidedPair<ComparedPair>,
  { direction }: Ranked,
): Standing {
  if (pair.n < fewestToTell) return "unclear";
  if (pair.pAdjusted === null || pair.pAdjusted > level) return "unclear";
  const sides =
    direction === "higher" ? (["better", "worse"] as const) : (["worse", "better"] as const);
  const side = whichSide(difference);
  if (side === undefined) return "unclear";
  return side === "above" ? sides[0] : sides[1];
}

/** Verdict of people's labels on a model beside another. */
export function peoplesStanding({ model, pair }: SidedPair<CorrectedPair>): Standing {
  if (pair.preferred === null) return "unclear";
  return pair[pair.preferred] === model ? "better" : "worse";
}

/** Counts of the labels themselves, from the side of a model. */
export function countedOf({ model, pair }: SidedPair<CorrectedPair>): CountedPair {
  const { wins, losses, ties, winRate, difference } = pair.counted;
  return pair.a === model
    ? pair.counted
    : {
        wins: losses,
        ties,
        losses: wins,
        winRate: winRate === null ? null : 1 - winRate,
        difference: difference === null ? null : 0 - difference,
      };
}

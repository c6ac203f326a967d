import { type Claim, type ClaimFinding, judgeClaim, type Measurement } from "../analysis/claims.js";
import { failureRateDifference } from "../analysis/failure-rate-difference.js";
import type { GroupedComparison } from "../analysis/grouped-correlation.js";
import type { SwapConclusion, SwapRow } from "../analysis/swap.js";
import type { EvaluatedMetric } from "../analysis/triplets.js";
import type { ConfusionQuantity } from "../benchmarks/claims.js";
import type { LocalizationStrategy } from "../images/localize.js";
import type { LocalizedScore } from "../stats/localized-answers.js";
import { spokenName } from "./metric-name.js";

/** What the claims of L-VQAScore's paper are decided by. */
export interface ConfusionEvidence {
  /** Those that stand for their name where a claim names it. */
  readonly standing: readonly EvaluatedMetric[];
  readonly swap: SwapConclusion;
  readonly rows: readonly SwapRow[];
  readonly correlation: (target: LocalizedScore) => GroupedComparison | undefined;
  /** The localised metrics of the run by what they do around an entity, all else alike. */
  readonly byStrategy: ReadonlyMap<LocalizationStrategy, string>;
  readonly seed: number;
}

/** Every claim for every pair of models that its metrics have in the run. */
export const confusionFindings = (
  claims: readonly Claim<ConfusionQuantity>[],
  evidence: ConfusionEvidence,
): ClaimFinding[] =>
  claims.flatMap((claim) =>
    measured(claim.quantity, evidence).map((measurement) => judgeClaim(claim, measurement)),
  );

function measured(quantity: ConfusionQuantity, evidence: ConfusionEvidence): Measurement[] {
  const { standing, byStrategy } = evidence;
  if (quantity.kind === "strategy-difference") {
    const { strategy, than } = quantity;
    const [one, other] = [byStrategy.get(strategy), byStrategy.get(than)];
    const words = `Spearman's ρ of L-VQAScore's F1 by ${strategy} minus that by ${than}`;
    if (one === undefined || other === undefined) {
      return [{ measured: words, missing: `the run has no ${one ? than : strategy}` }];
    }
    return [correlated(words, { metric: one, than: other, target: "f1" }, evidence)];
  }
  const named = (name: string) => standing.filter(({ metric }) => metric === name);
  const wanted = [quantity.metric, ...("than" in quantity ? [quantity.than] : [])];
  const missing = wanted.filter((name) => named(name).length === 0);
  if (missing.length > 0) {
    return [{ measured: wanted.join(" and "), missing: `the run has no ${missing.join(", no ")}` }];
  }
  return named(quantity.metric).flatMap(({ id }) => {
    if (quantity.kind === "swap-failure") return [swapFailure(id, evidence)];
    return named(quantity.than).map(({ id: than }) =>
      quantity.kind === "swap-failure-difference"
        ? swapDifference(id, than, evidence)
        : correlated(
            `Spearman's ρ with the reference's ${quantity.target}: ${spoken(id, evidence)} minus ${spoken(than, evidence)}`,
            { metric: id, than, target: quantity.target },
            evidence,
          ),
    );
  });
}

const spoken = (id: string, { standing: metrics }: ConfusionEvidence) =>
  spokenName({ metrics }, id);

function swapFailure(id: string, evidence: ConfusionEvidence): Measurement {
  const words = `share of images for which ${spoken(id, evidence)} prefers the swapped description`;
  const summary = evidence.swap.metrics[id]?.overall;
  return summary === undefined
    ? { measured: words, missing: "nothing was scored" }
    : { measured: words, estimate: summary.failureRate, n: summary.n };
}

function swapDifference(id: string, than: string, evidence: ConfusionEvidence): Measurement {
  const { standing: metrics, rows, seed, swap } = evidence;
  const comparable = rows
    .filter(({ metric }) => metric === id || metric === than)
    .map(({ id: image, metric, prompt, set, original, swapped }) => {
      const isLower = metrics.find((one) => one.id === metric)?.direction === "lower";
      const better = (score: number | null) => (score === null ? null : isLower ? -score : score);
      return {
        ...{ id: image, metric, prompt, domain: set },
        ...{ correct: better(original), adversarial: better(swapped) },
      };
    });
  const difference = failureRateDifference(comparable, {
    ...{ metric: id, than, ties: "apart", seed, tieTolerance: swap.tieTolerance },
  });
  return {
    measured: `that share of ${spoken(id, evidence)} minus that of ${spoken(than, evidence)}`,
    estimate: difference,
    n: difference.n,
  };
}

function correlated(
  words: string,
  {
    metric,
    than,
    target,
  }: { readonly metric: string; readonly than: string; readonly target: LocalizedScore },
  { correlation }: ConfusionEvidence,
): Measurement {
  const comparison = correlation(target);
  if (comparison === undefined) {
    return { measured: words, missing: "nobody knows what is in the images" };
  }
  const { metrics } = comparison.conclusion;
  return {
    measured: words,
    estimate: comparison.difference({ metric, than, measure: "spearman" }),
    n: Math.min(metrics[metric]?.n ?? 0, metrics[than]?.n ?? 0),
  };
}

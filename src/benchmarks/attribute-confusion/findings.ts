import { z } from "zod";
import type { GroupedComparison } from "../../analysis/correlation/grouped-correlation.js";
import {
  type Claim,
  type ClaimScale,
  judgeWithVerdict,
  type TestedMeasurement,
  type TriedClaim,
} from "../../analysis/inference/claims.js";
import { differenceTest, type ExactTest, shareTest } from "../../analysis/inference/exact-tests.js";
import { spokenName } from "../../analysis/inference/metric-name.js";
import { promptClusters } from "../../analysis/inference/prompt-clusters.js";
import {
  failureDifferences,
  failureRateDifferenceOf,
} from "../../analysis/pairs/failure-rate-difference.js";
import { outcomeOf, type PairRow, PairTable } from "../../analysis/pairs/pair-sums.js";
import type { ConfusionSwapRow, SwapConclusion } from "../../analysis/pairs/swap.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { modelsOf } from "../../core/metric.js";
import { listText } from "../../core/phrases.js";
import { randomFrom } from "../../core/random.js";
import { type LocalizationStrategy, localizationStrategies } from "../../images/localize.js";
import type { LocalizedScore } from "../../stats/localized-answers.js";
import { loadData } from "../load-data.js";
import type { ConfusionQuantity } from "../paper-claims.js";
import type { LocalizedMetric } from "./localized-metrics.js";

/** Says so in a sentence. */
export const unseenText = ({ answerer, strategies: unseen }: UnseenLooks): string =>
  `${answerer} never learned from images shown by ${listText(unseen.map(spokenLook), "or")}, so here these strategies are not compared fairly.`;

/** What the paper calls masking makes all else black. */
const spokenLook = (strategy: LocalizationStrategy): string =>
  strategy === "masking" ? "masking (black)" : strategy;

/** Correlations of metrics with the reference, and what tells two of them apart. */
export interface ComparedCorrelations extends GroupedComparison {
  readonly clusters: number;
  test(metric: string, than: string): ExactTest;
}

/** Evidence that decides the claims of L-VQAScore's paper. */
export interface ConfusionEvidence {
  /** Headline metrics, which claims are about. */
  readonly standing: readonly EvaluatedMetric[];
  readonly swap: SwapConclusion;
  readonly rows: readonly ConfusionSwapRow[];
  readonly correlation: (target: LocalizedScore) => ComparedCorrelations | undefined;
  /** The localised metrics of the run by what they do around an entity, all else alike. */
  readonly byStrategy: ReadonlyMap<LocalizationStrategy, string>;
  /** Looks that the answerer of these never learned from, where they are known. */
  readonly unseen?: UnseenLooks | undefined;
  /** The headline localised metric, then those with another model in this part. */
  readonly byPart: Readonly<Record<"answerer" | "localiser", readonly ExchangedModel[]>>;
  readonly seed: number;
  /** Nobody said what the images show, so that no swap test is about the metrics. */
  readonly isUnreferenced: boolean;
}

export interface ExchangedModel {
  readonly metric: string;
  readonly model: string;
}

/**
 * Every claim for every model that its metrics have in the run, compared by one where both have it,
 * and whether the differences that the verdict speaks of are significant: one family of tests.
 */
export const confusionFindings = (
  claims: readonly Claim<ConfusionQuantity>[],
  evidence: ConfusionEvidence,
  differences: readonly TestedMeasurement[] = [],
): ReturnType<typeof judgeWithVerdict> =>
  judgeWithVerdict(
    claims.flatMap((claim) =>
      measured(claim.quantity, evidence).map((measurement): TriedClaim => [claim, measurement]),
    ),
    differences,
  );

const scales: Readonly<Record<ConfusionQuantity["kind"], ClaimScale>> = {
  "swap-failure": "share",
  "swap-failure-difference": "difference of shares",
  "correlation-difference": "correlation",
  "strategy-difference": "correlation",
  "exchange-difference": "correlation",
};

const unit = "description";

function measured(quantity: ConfusionQuantity, evidence: ConfusionEvidence): TestedMeasurement[] {
  const { standing, byStrategy } = evidence;
  const scale = scales[quantity.kind];
  if (quantity.kind === "strategy-difference") {
    const { strategy, than } = quantity;
    const [one, other] = [byStrategy.get(strategy), byStrategy.get(than)];
    const words = `Spearman's ρ of L-VQAScore's F1 by ${strategy} minus that by ${than}`;
    if (one === undefined || other === undefined) {
      return [{ measured: words, scale, missing: `the run has no ${one ? than : strategy}` }];
    }
    const caveat = caveatOf(evidence, [strategy, than]);
    return [
      { ...correlated(words, { metric: one, than: other, target: "f1" }, evidence), ...caveat },
    ];
  }
  if (quantity.kind === "exchange-difference") {
    const { part } = quantity;
    const [first, ...others] = evidence.byPart[part];
    const words = `Spearman's ρ of L-VQAScore's F1 with one ${part} minus that with another`;
    if (first === undefined || others.length === 0) {
      return [{ measured: words, scale, missing: `the run has no second ${part}` }];
    }
    return others.map(({ metric: than, model }) => {
      const measured = `Spearman's ρ of L-VQAScore's F1 with ${first.model} minus that with ${model}`;
      return correlated(measured, { metric: first.metric, than, target: "f1" }, evidence);
    });
  }
  const named = (name: string) => standing.filter(({ metric }) => metric === name);
  const wanted = [quantity.metric, ...("than" in quantity ? [quantity.than] : [])];
  const missing = wanted.filter((name) => named(name).length === 0);
  if (missing.length > 0) {
    const words = `the run has no ${missing.join(", no ")}`;
    return [{ measured: wanted.join(" and "), scale, missing: words }];
  }
  return named(quantity.metric).flatMap(({ id }) => {
    if (quantity.kind === "swap-failure") return [swapFailure(id, evidence)];
    return comparedWith(id, named(quantity.than), standing).map(({ id: than }) =>
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

/** Returns those of one name that ask the same model, so that metrics are compared and not models. */
function comparedWith(
  id: string,
  others: readonly EvaluatedMetric[],
  standing: readonly EvaluatedMetric[],
): readonly EvaluatedMetric[] {
  const asked = (metric: EvaluatedMetric) => modelsOf(metric).models[0]?.model;
  const own = standing.filter((metric) => metric.id === id).map(asked);
  const alike = others.filter((other) => own.includes(asked(other)));
  return alike.length > 0 ? alike : others;
}

function caveatOf(
  { unseen }: ConfusionEvidence,
  compared: readonly LocalizationStrategy[],
): { readonly caveat?: string } {
  const strategies = compared.filter((strategy) => unseen?.strategies.includes(strategy));
  if (unseen === undefined || strategies.length === 0) return {};
  return { caveat: unseenText({ ...unseen, strategies }) };
}

const spoken = (id: string, { standing: metrics }: ConfusionEvidence) =>
  spokenName({ metrics }, id);

/** Why there is no figure about a metric. */
export const unreferenced = "nobody said what the images show";

/** Who scores both descriptions of every image the same never fails, and says nothing. */
const tiesEverywhere = (id: string, { swap }: ConfusionEvidence): boolean =>
  swap.metrics[id]?.overall.tieRate.value === 1;

const tiesText = (id: string, evidence: ConfusionEvidence): string =>
  `${spoken(id, evidence)} scores both descriptions of every image the same`;

function swapFailure(id: string, evidence: ConfusionEvidence): TestedMeasurement {
  const words = `share of images for which ${spoken(id, evidence)} prefers the swapped description`;
  const about = { measured: words, scale: "share" } as const;
  if (evidence.isUnreferenced) return { ...about, missing: unreferenced };
  const summary = evidence.swap.metrics[id]?.overall;
  if (summary === undefined) return { ...about, missing: "nothing was scored" };
  if (tiesEverywhere(id, evidence)) return { ...about, missing: tiesText(id, evidence) };
  const { tieTolerance } = evidence.swap;
  const rows = comparableSwaps(evidence).flatMap(({ metric, correct, adversarial, ...row }) => {
    if (metric !== id || correct === null || adversarial === null) return [];
    const outcome = outcomeOf(correct, adversarial, { direction: "higher", tieTolerance });
    return [{ ...row, value: Number(outcome === "fail") }];
  });
  return {
    ...about,
    estimate: summary.failureRate,
    n: summary.n,
    clusters: promptClusters(rows).count,
    clusteredBy: unit,
    test: (threshold) => shareTest(rows, { threshold, unit }),
  };
}

/** The rows of a swap test as those of pairs, higher scores of whatever metric being better. */
export const comparableSwaps = ({
  standing,
  rows,
}: Pick<ConfusionEvidence, "standing" | "rows">): PairRow[] =>
  rows.map(({ id, metric, prompt, set, original, swapped }) => {
    const isLower = standing.find((one) => one.id === metric)?.direction === "lower";
    const better = (score: number | null) => (score === null ? null : isLower ? -score : score);
    return {
      id,
      metric,
      prompt,
      domain: set,
      correct: better(original),
      adversarial: better(swapped),
    };
  });

function swapDifference(id: string, than: string, evidence: ConfusionEvidence): TestedMeasurement {
  const { seed, swap } = evidence;
  const about = {
    measured: `that share of ${spoken(id, evidence)} minus that of ${spoken(than, evidence)}`,
    scale: "difference of shares",
  } as const;
  if (evidence.isUnreferenced) return { ...about, missing: unreferenced };
  const silent = [id, than].find((metric) => tiesEverywhere(metric, evidence));
  if (silent !== undefined) return { ...about, missing: tiesText(silent, evidence) };
  const comparable = PairTable.of(comparableSwaps(evidence));
  const compared = { metric: id, than, ties: "apart", tieTolerance: swap.tieTolerance } as const;
  const difference = failureRateDifferenceOf(comparable, { ...compared, seed });
  const rows = failureDifferences(comparable, compared);
  return {
    ...about,
    estimate: difference,
    n: difference.n,
    clusters: promptClusters(rows).count,
    clusteredBy: unit,
    test: () => differenceTest(rows, { unit, random: randomFrom(seed, "exact test", id, than) }),
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
): TestedMeasurement {
  const about = { measured: words, scale: "correlation" } as const;
  const comparison = correlation(target);
  if (comparison === undefined) return { ...about, missing: unreferenced };
  const { metrics } = comparison.conclusion;
  return {
    ...about,
    estimate: comparison.difference({ metric, than, measure: "spearman" }),
    n: Math.min(metrics[metric]?.n ?? 0, metrics[than]?.n ?? 0),
    clusters: comparison.clusters,
    clusteredBy: unit,
    test: () => comparison.test(metric, than),
  };
}

const seenLooks = z.record(z.string(), z.array(z.enum(localizationStrategies)));

/** A question answerer of the lab's, and the strategies among a run's that it never learned from. */
interface UnseenLooks {
  /** Such as "lab:vqa". */
  readonly answerer: string;
  readonly strategies: readonly LocalizationStrategy[];
}

/**
 * Lists the lab's answerers that a run shows images as they never learned from. Models from elsewhere are not
 * listed, since nobody here knows what they saw.
 */
export function unseenLooks(localized: readonly LocalizedMetric[]): UnseenLooks[] {
  const seen = loadData("attribute-confusion/seen-looks.yaml", seenLooks);
  return Object.entries(seen).flatMap(([answerer, learned]) => {
    const shown = new Set(
      localized.filter((one) => one.answerer === answerer).map(({ strategy }) => strategy),
    );
    const unseen = localizationStrategies.filter(
      (strategy) => shown.has(strategy) && !learned.includes(strategy),
    );
    return unseen.length === 0 ? [] : [{ answerer, strategies: unseen }];
  });
}

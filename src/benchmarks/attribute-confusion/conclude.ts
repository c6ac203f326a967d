import { attributes } from "../../analysis/confusion/attributes.js";
import {
  type ConfusionImage,
  confusionImages,
  imagesToSwap,
  isAsDescribed,
  isReferenced,
  swapRows,
} from "../../analysis/confusion/confusion-images.js";
import {
  isNotable,
  soughtEntities,
  unfoundText,
} from "../../analysis/confusion/sought-entities.js";
import type { TestedMeasurement } from "../../analysis/inference/claims.js";
import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { undefinedEstimate } from "../../analysis/inference/intervals.js";
import { metricOf, spokenName } from "../../analysis/inference/metric-name.js";
import { metricWarnings } from "../../analysis/inference/metric-warnings.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import { scoreSummary } from "../../analysis/pairs/score-summary.js";
import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import type { SwapConclusion } from "../../analysis/pairs/swap.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { InputError } from "../../core/errors.js";
import { withoutRevision } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import { localizedScore } from "../../stats/localized-answers.js";
import { readGallery } from "../disagreement-gallery.js";
import { loadConfusionClaims } from "../paper-claims.js";
import { provenanceOf, unscoredCounts } from "../provenance.js";
import { isFromLab, type ReportedRun, readRunRecords } from "../run-records.js";
import {
  type ConfusionReport,
  type GeneratorResults,
  loadPublishedConfusion,
} from "./conclusion.js";
import {
  type ComparedCorrelations,
  type ConfusionEvidence,
  confusionFindings,
  unreferenced,
  unseenLooks,
  unseenText,
} from "./findings.js";
import {
  type ExchangedPart,
  exchangedParts,
  type LocalizedMetric,
  localizedMetrics,
  spokenMetrics,
  standingFor,
} from "./localized-metrics.js";
import { readStrips } from "./read-strips.js";
import { referenceCorrelations } from "./reference-correlations.js";
import { circularMetrics, readSwapCards } from "./swap-cards.js";
import {
  differenceWarnings,
  type Resampling,
  rankedBySwap,
  swapDifferences,
  swapSelections,
  withoutRows,
} from "./swap-selections.js";
import { followers } from "./verdict.js";

/**
 * Concludes from an attribute confusion run, and reads the records and images that its report cites. The
 * swap test counts images that are as described by the reference; without a reference there is no verdict
 * on metrics. A metric whose localiser also chose what people were shown is no headline metric.
 *
 * @param name the report's name for the run.
 * @param unfiltered makes the swap test count all images.
 * @throws InputError where the run has no descriptions; IncompleteError where no image is as described.
 */
export async function concludeConfusion({
  run,
  name,
  resamples,
  tieTolerance,
  unfiltered = false,
}: TieOptions & {
  readonly run: ReportedRun;
  readonly name: string;
  readonly unfiltered?: boolean | undefined;
  readonly resamples?: number | undefined;
}): Promise<ConfusionReport> {
  const records = await readRunRecords(run);
  if (records.descriptions.length === 0) {
    throw new InputError(
      `Expected a run with descriptions but received ${run.place}, which has none`,
      { hint: "Build them: touchstone build --benchmark attribute-confusion --run DIR" },
    );
  }
  const { metrics, images } = confusionImages(records);
  const { seed } = run.recipe;
  const options = { seed, resamples };
  const published = loadPublishedConfusion();
  const rows = swapRows(images, metrics);
  const selections = swapSelections(images, rows, metrics, {
    ...options,
    tieTolerance,
    unfiltered,
  });
  const [headline] = selections;
  const all = localizedMetrics(metrics);
  const circular = circularMetrics(all, records.scores);
  const isCircular = (metric: EvaluatedMetric) => circular.some((one) => one.metric === metric);
  const localized = all.filter(({ metric }) => !isCircular(metric));
  const judged = metrics.filter((metric) => !isCircular(metric));
  const isUnreferenced = !unfiltered && !isReferenced(images);
  const chosen = standingFor(judged, localized);
  const standing = spokenMetrics(chosen);
  const ofTarget = judged.filter(
    ({ id }) => localized.find(({ metric }) => metric.id === id)?.target !== "other",
  );
  const correlation = referenceCorrelations(images, ofTarget, { published, ...options });
  const { paper, claims } = loadConfusionClaims();
  const looking = localized.find(({ metric }) => chosen.includes(metric)) ?? localized[0] ?? all[0];
  const [f1, precision, recall] = [
    correlation("f1"),
    correlation("precision"),
    correlation("recall"),
  ];
  const compared = { standing, rows: headline.rows, swap: headline.swap, seed };
  const swapped = isUnreferenced ? [] : swapDifferences(compared);
  const unseen = unseenLooks(localized);
  const closest = f1 && closestMetric(f1, standing);
  const { findings, areSignificant } = confusionFindings(
    claims,
    {
      ...compared,
      isUnreferenced,
      correlation,
      byStrategy: strategiesOf(localized, chosen),
      unseen: unseen.find(({ answerer }) => answerer === looking?.answerer),
      byPart: partsOf(localized, looking),
    },
    [...swapped, ...(closest?.ahead ?? [])].map(({ tested }) => tested),
  );

  const ranked = rankedBySwap({ standing, selections: [headline] });

  return {
    name,
    fromLab: isFromLab(records),
    metrics,
    standing,
    selections: [withoutRows(headline), ...selections.slice(1).map(withoutRows)],
    differences: swapped.map(({ tested: _, ...difference }, at) => ({
      ...difference,
      isTold: areSignificant[at] ?? false,
    })),
    generators: generatorResults(images, options),
    ...(f1 === undefined || precision === undefined || recall === undefined
      ? {}
      : {
          correlations: {
            f1: f1.conclusion,
            precision: precision.conclusion,
            recall: recall.conclusion,
          },
          closest: {
            follows: closest?.follows ?? false,
            isTold: areSignificant[swapped.length] ?? false,
          },
        }),
    unseenLooks: unseen.map(unseenText),
    variants: variantsOf(localized, { looking, swap: headline.swap, f1, isUnreferenced }),
    claims: { paper, findings },
    gallery: await confusionGallery(images, standing, run),
    examples: await readSwapCards(imagesToSwap(images, { unfiltered }), {
      metrics: standing,
      worst: isUnreferenced ? undefined : ranked[0]?.id,
      best: isUnreferenced ? undefined : ranked.at(-1)?.id,
      run,
      tieTolerance,
    }),
    ...(looking === undefined
      ? {}
      : { strips: await readStrips({ images, run, ...looking, ...thresholdOf(looking.metric) }) }),
    unscored: unscoredCounts(records),
    published,
    warnings: [
      ...(isUnreferenced ? [] : differenceWarnings(compared)),
      ...unfoundWarnings(images, spokenMetrics(metrics)),
    ],
    ...(unfiltered ? { unfiltered } : {}),
    isUnreferenced,
    circular: circular.map(({ metric: { id }, localizer }) => ({
      metric: spokenName({ metrics: spokenMetrics(metrics) }, id),
      localizer,
    })),
    provenance: provenanceOf({
      run,
      name,
      records,
      intervals: headline.swap.intervals.text,
    }),
  };
}

/** Reads a threshold from the end of a metric's convention; nothing where it has none. */
function thresholdOf({ convention = "" }: EvaluatedMetric): { threshold?: number } {
  const last = Number(convention.split(":").at(-1) || Number.NaN);
  return Number.isNaN(last) ? {} : { threshold: last };
}

/** Tests whether the metric closest to the reference's F1 follows it, and by how much it leads the next. */
function closestMetric(
  comparison: ComparedCorrelations,
  standing: readonly EvaluatedMetric[],
): {
  readonly follows: boolean;
  readonly ahead: readonly { readonly tested: TestedMeasurement }[];
} {
  const { clusters, conclusion } = comparison;
  const [closest, second] = followers({ standing, f1: conclusion });
  const isAbove = closest !== undefined && whichSide(closest.spearman) === "above";
  const follows = isAbove && clusters >= fewestToTell;
  if (closest === undefined || second === undefined) return { follows, ahead: [] };
  const both = { metric: closest.id, than: second.id };
  const { metrics } = conclusion;
  const tested: TestedMeasurement = {
    measured: `Spearman's ρ with the reference's f1: ${both.metric} minus ${both.than}`,
    scale: "correlation",
    estimate: comparison.difference({ ...both, measure: "spearman" }),
    n: Math.min(metrics[both.metric]?.n ?? 0, metrics[both.than]?.n ?? 0),
    clusters,
    clusteredBy: "description",
    test: () => comparison.test(both.metric, both.than),
  };
  return { follows, ahead: [{ tested }] };
}

/** Names metrics that judged many entities on the whole image, because they did not find them. */
const unfoundWarnings = (
  images: readonly ConfusionImage[],
  metrics: readonly EvaluatedMetric[],
): string[] =>
  metricWarnings(
    metrics.flatMap(({ id }) => {
      const originals = images.map(({ scores }) => scores.get(id)?.original);
      const sought = soughtEntities(
        originals.map((score) => (score?.status === "done" ? score.details : undefined)),
      );
      const metric = spokenName({ metrics }, id);
      return isNotable(sought) ? [{ metric, text: unfoundText(sought) }] : [];
    }),
  );

/** Returns, for each generator, the share of images that are as described, by the reference. */
function generatorResults(
  images: readonly ConfusionImage[],
  intervals: Resampling,
): GeneratorResults[] {
  const names = [...new Set(images.map(({ image }) => image.model))];
  return names.map((generator) => {
    const own = images.filter(({ image }) => image.model === generator);
    const referenced = own.filter(({ reference }) => reference !== undefined);
    const { pooled } = attributes(
      referenced.flatMap(({ image, description, truths }) =>
        truths.map(({ entity, attribute, kind, probability }) => ({
          image: image.key,
          prompt: description.key,
          entity,
          attribute,
          kind,
          probability,
        })),
      ),
      intervals,
    ).intervalsOf;
    const share = scoreSummary(
      referenced.map((one) => ({
        id: one.image.key,
        prompt: one.description.key,
        value: isAsDescribed(one) ? 1 : 0,
      })),
      { range: [0, 1], isShare: true, ...intervals },
    );
    return {
      generator: withoutRevision(generator),
      images: own.length,
      referenced: referenced.length,
      asDescribed: share.mean,
      ...pooled,
    };
  });
}

/** Reads the images that headline metrics, and the reference, score least alike. */
function confusionGallery(
  images: readonly ConfusionImage[],
  standing: readonly EvaluatedMetric[],
  { blobs }: ReportedRun,
) {
  const numberOf = (score: RecordOf<"score"> | undefined) =>
    score?.status === "done" ? score.value : null;
  const hasReference = isReferenced(images);
  return readGallery({
    columns: [
      ...standing.map(({ id, direction }) => {
        const { metric, model } = metricOf({ metrics: standing }, id);
        return { name: metric, model, direction };
      }),
      ...(hasReference
        ? [{ name: "the reference", model: "F1", direction: "higher" as const }]
        : []),
    ],
    candidates: images.map(({ image, description, reference, scores }) => ({
      image,
      text: description.text,
      scores: [
        ...standing.map(({ id }) => numberOf(scores.get(id)?.original)),
        ...(hasReference ? [reference === undefined ? null : localizedScore("f1", reference)] : []),
      ],
    })),
    blobs,
  });
}

/** Returns, by strategy, the localised metrics that differ from the published one in nothing else. */
function strategiesOf(
  localized: readonly LocalizedMetric[],
  standing: readonly EvaluatedMetric[],
): Map<LocalizedMetric["strategy"], string> {
  const base = localized.find(({ metric }) => standing.includes(metric));
  const alike = localized.filter(
    (one) =>
      one.target === base?.target &&
      one.leakage === base.leakage &&
      one.metric.model === base.metric.model,
  );
  return new Map(alike.map(({ strategy, metric }) => [strategy, metric.id]));
}

/** Returns the localised metric that is looked at, and those with another answerer, or localiser, alone. */
function partsOf(
  localized: readonly LocalizedMetric[],
  base: LocalizedMetric | undefined,
): ConfusionEvidence["byPart"] {
  const exchanging = (part: ExchangedPart["part"]) =>
    localized.filter((one) => {
      if (base === undefined || one.target !== base.target) return false;
      const parts = exchangedParts(one, base).map((exchanged) => exchanged.part);
      return one === base || (parts.length === 1 && parts[0] === part);
    });
  const models = (part: "answerer" | "localiser") =>
    [...exchanging(part)]
      .sort((one, other) => Number(other === base) - Number(one === base))
      .map(({ metric, answerer, localizer }) => ({
        metric: metric.id,
        model: part === "answerer" ? answerer : localizer,
      }));
  return { answerer: models("answerer"), localiser: models("localiser") };
}

/** Lists every way of localising, and what it exchanges of the one that is looked at. */
const variantsOf = (
  localized: readonly LocalizedMetric[],
  {
    looking,
    swap,
    f1,
    isUnreferenced,
  }: {
    readonly looking: LocalizedMetric | undefined;
    readonly swap: SwapConclusion;
    readonly f1: ComparedCorrelations | undefined;
    readonly isUnreferenced: boolean;
  },
): ConfusionReport["variants"] =>
  localized
    .filter(({ target }) => target !== "other")
    .map((variant) => {
      const { metric, strategy, leakage, answerer, localizer } = variant;
      const { id } = metric;
      const summary = isUnreferenced ? undefined : swap.metrics[id]?.overall;
      const correlated = f1?.conclusion.metrics[id];
      const none = undefinedEstimate(unreferenced);
      const noSwap = isUnreferenced ? none : undefinedEstimate("nothing was scored");
      return {
        metric: id,
        strategy,
        leakage,
        answerer,
        localizer,
        exchanged: looking === undefined ? [] : exchangedParts(variant, looking),
        swapFailure: summary?.failureRate ?? noSwap,
        swapTies: summary?.tieRate ?? noSwap,
        n: summary?.n ?? 0,
        spearman: correlated?.spearman ?? none,
        kendallTauB: correlated?.kendallTauB ?? none,
      };
    });

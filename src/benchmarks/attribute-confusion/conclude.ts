import {
  confusionImages,
  imagesToSwap,
  isReferenced,
  swapRows,
} from "../../analysis/confusion/confusion-images.js";
import { spokenName } from "../../analysis/inference/metric-name.js";
import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { InputError } from "../../core/errors.js";
import { loadConfusionClaims } from "../paper-claims.js";
import { provenanceOf, unscoredCounts } from "../provenance.js";
import { isFromLab, type ReportedRun, readRunRecords } from "../run-records.js";
import { circularMetrics } from "./circular-reference.js";
import { closestMetric } from "./closest-metric.js";
import type { ConfusionReport } from "./conclusion.js";
import { confusionGallery } from "./confusion-gallery.js";
import { confusionFindings } from "./findings.js";
import { generatorResults } from "./generator-results.js";
import { loadPublishedConfusion } from "./index.js";
import { localizedMetrics, spokenMetrics, standingFor } from "./localized-metrics.js";
import { partsOf, strategiesOf, variantsOf } from "./localized-variants.js";
import { rankedBySwap } from "./ranked-by-swap.js";
import { readStrips } from "./read-strips.js";
import { readSwapCards } from "./read-swap-cards.js";
import { referenceCorrelations } from "./reference-correlations.js";
import { differenceWarnings, swapDifferences } from "./swap-differences.js";
import { swapSelections, withoutRows } from "./swap-selections.js";
import { unfoundWarnings } from "./unfound-warnings.js";
import { unseenLooks, unseenText } from "./unseen-looks.js";

/**
 * Draws the conclusions from an attribute confusion run and gathers the records and images that they
 * cite. The swap test's verdict is about the images that show what they should, by the reference;
 * where there is no reference, there is no verdict on metrics. Metrics that people's answers are no
 * reference for are no headline metrics.
 *
 * @param name what the report calls the run
 * @param unfiltered lets the swap test be about all images, reference or not
 * @throws InputError where the run holds no descriptions, IncompleteError where the reference finds no
 *   image that shows what it should.
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

/** A threshold of its own stands at the end of a metric's convention. */
function thresholdOf({ convention = "" }: EvaluatedMetric): { threshold?: number } {
  const last = Number(convention.split(":").at(-1) || Number.NaN);
  return Number.isNaN(last) ? {} : { threshold: last };
}

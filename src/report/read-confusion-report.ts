import { attributes } from "../analysis/attributes.js";
import {
  type ConfusionImage,
  confusionGroupedRows,
  confusionImages,
  isAsDescribed,
  swapRows,
} from "../analysis/confusion-images.js";
import { groupedCorrelation } from "../analysis/grouped-correlation.js";
import { groupedSwapTest } from "../analysis/grouped-swap-test.js";
import { undefinedEstimate } from "../analysis/intervals.js";
import { scoreSummary } from "../analysis/score-summary.js";
import type { TieOptions } from "../analysis/score-ties.js";
import { type SwapRow, swap } from "../analysis/swap.js";
import type { EvaluatedMetric } from "../analysis/triplets.js";
import { loadPublishedConfusion } from "../benchmarks/attribute-confusion/index.js";
import { loadConfusionClaims } from "../benchmarks/claims.js";
import { InputError } from "../core/errors.js";
import { randomFrom } from "../core/random.js";
import type { RecordOf } from "../core/records.js";
import { type LocalizedScore, localizedScore } from "../stats/localized-answers.js";
import { type ComparedCorrelations, confusionFindings } from "./confusion-claims.js";
import type { ConfusionReport, GeneratorResults, SwapSelection } from "./confusion-report.js";
import { readGallery } from "./gallery.js";
import {
  type LocalizedMetric,
  localizedMetrics,
  spokenMetrics,
  standingFor,
} from "./localized-metrics.js";
import { metricOf, withoutRevision } from "./metric-name.js";
import { provenanceOf, unscoredCounts } from "./read-provenance.js";
import { readStrips } from "./read-strips.js";
import { type ReportedRun, readRunRecords } from "./run-records.js";

/**
 * Draws the conclusions from an attribute confusion run and gathers the records and images that they
 * cite. The swap test's verdict is about the images that show what they should, by the reference;
 * where there is no reference, about all.
 *
 * @param name what the report calls the run
 * @throws InputError where the run holds no descriptions.
 */
export async function readConfusionReport({
  run,
  name,
  resamples,
  tieTolerance,
}: TieOptions & {
  readonly run: ReportedRun;
  readonly name: string;
  readonly resamples?: number;
}): Promise<ConfusionReport> {
  const records = await readRunRecords(run);
  if (records.descriptions.length === 0) {
    throw new InputError(
      `Expected a run with descriptions but received ${run.directory}, which has none`,
      { hint: "Build them: touchstone build --benchmark attribute-confusion --run DIR" },
    );
  }
  const { metrics, images } = confusionImages(records);
  const { seed } = run.recipe;
  const options = { seed, resamples };
  const published = loadPublishedConfusion();
  const rows = swapRows(images, metrics);
  const selections = selectionsOf(images, rows, metrics, { ...options, tieTolerance });
  const [headline] = selections;
  const localized = localizedMetrics(metrics);
  const chosen = standingFor(metrics, localized);
  const standing = spokenMetrics(chosen);
  const ofTarget = metrics.filter(
    ({ id }) => localized.find(({ metric }) => metric.id === id)?.target !== "other",
  );
  const comparisons = new Map<LocalizedScore, ComparedCorrelations>();
  const correlation = (target: LocalizedScore): ComparedCorrelations | undefined => {
    if (images.every(({ reference }) => reference === undefined)) return undefined;
    const known = comparisons.get(target);
    if (known !== undefined) return known;
    const { groups, seeds } = published.correlation;
    const ids = ofTarget.map(({ id }) => id);
    const rows = confusionGroupedRows(images, ofTarget, target);
    const dealing = { target, groups, seeds };
    const compared = groupedCorrelation(
      { human: `the reference's ${target}`, metrics: ids, rows },
      { ...dealing, ...options },
    );
    const comparison = {
      ...compared,
      clusters: compared.conclusion.intervals.clusters,
      test: (metric: string, than: string) =>
        groupedSwapTest(rows, {
          ...dealing,
          places: [ids.indexOf(metric), ids.indexOf(than)],
          measure: "spearman",
          unit: "description",
          random: randomFrom(seed, "exact test", target, metric, than),
        }),
    };
    comparisons.set(target, comparison);
    return comparison;
  };
  const { paper, claims } = loadConfusionClaims();
  const counted = headline.rows;
  const findings = confusionFindings(claims, {
    ...{ standing, swap: headline.swap, rows: counted, correlation, seed },
    byStrategy: strategiesOf(localized, chosen),
  });
  const [f1, precision, recall] = [
    correlation("f1"),
    correlation("precision"),
    correlation("recall"),
  ];
  const looking = localized.find(({ metric }) => chosen.includes(metric)) ?? localized[0];

  return {
    name,
    fromLab: records.images.some(({ model }) => model.startsWith("lab:")),
    metrics,
    standing,
    selections: [withoutRows(headline), ...selections.slice(1).map(withoutRows)],
    generators: generatorsOf(images, options),
    ...(f1 === undefined || precision === undefined || recall === undefined
      ? {}
      : {
          correlations: {
            f1: f1.conclusion,
            precision: precision.conclusion,
            recall: recall.conclusion,
          },
        }),
    variants: localized
      .filter(({ target }) => target !== "other")
      .map(({ metric: { id }, strategy, leakage, answerer, localizer }) => {
        const summary = headline.swap.metrics[id]?.overall;
        const correlated = f1?.conclusion.metrics[id];
        const none = undefinedEstimate("nobody knows what is in the images");
        return {
          ...{ metric: id, strategy, leakage, answerer, localizer },
          swapFailure: summary?.failureRate ?? undefinedEstimate("nothing was scored"),
          swapTies: summary?.tieRate ?? undefinedEstimate("nothing was scored"),
          n: summary?.n ?? 0,
          spearman: correlated?.spearman ?? none,
          kendallTauB: correlated?.kendallTauB ?? none,
        };
      }),
    claims: { paper, findings },
    gallery: await galleryOf(images, standing, run),
    ...(looking === undefined
      ? {}
      : { strips: await readStrips({ images, run, ...looking, ...thresholdOf(looking.metric) }) }),
    unscored: unscoredCounts(records),
    published,
    provenance: provenanceOf({
      ...{ run, name, records },
      intervals: headline.swap.intervals.text,
    }),
  };
}

interface Counted extends SwapSelection {
  readonly rows: readonly SwapRow[];
}

type Intervals = { readonly seed: number; readonly resamples: number | undefined };

/** The images that show what they should, where somebody knows; then all. */
function selectionsOf(
  images: readonly ConfusionImage[],
  rows: readonly SwapRow[],
  metrics: readonly EvaluatedMetric[],
  options: Intervals & TieOptions,
): readonly [Counted, ...Counted[]] {
  const directions = new Map(metrics.map(({ id, direction }) => [id, direction]));
  const of = (some: readonly SwapRow[]) =>
    swap(some, { ...options, directionOf: (metric) => directions.get(metric) ?? "higher" });
  const all: Counted = {
    name: "all images",
    description: "as they were generated",
    ...{ images: images.length, rows, swap: of(rows) },
  };
  const right = new Set(images.filter(isAsDescribed).map(({ image }) => image.key as string));
  if (right.size === 0) return [all];
  const itsRows = rows.filter(({ id }) => right.has(id));
  const asDescribed: Counted = {
    name: "as described",
    description: "that show every attribute where it belongs and none elsewhere, by the reference",
    ...{ images: right.size, rows: itsRows, swap: of(itsRows) },
  };
  return [asDescribed, all];
}

const withoutRows = ({ rows, ...selection }: Counted): SwapSelection => selection;

/** The localised metrics that differ from the published one in nothing but the strategy. */
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

function generatorsOf(images: readonly ConfusionImage[], intervals: Intervals): GeneratorResults[] {
  const names = [...new Set(images.map(({ image }) => image.model))];
  return names.map((generator) => {
    const own = images.filter(({ image }) => image.model === generator);
    const referenced = own.filter(({ reference }) => reference !== undefined);
    const { pooled } = attributes(
      referenced.flatMap(({ image, description, truths }) =>
        truths.map(({ entity, attribute, kind, probability }) => ({
          ...{ image: image.key, prompt: description.key },
          ...{ entity, attribute, kind, probability },
        })),
      ),
      intervals,
    ).intervalsOf;
    const share = scoreSummary(
      referenced.map((one) => ({
        ...{ id: one.image.key, prompt: one.description.key },
        value: isAsDescribed(one) ? 1 : 0,
      })),
      { range: [0, 1], ...intervals },
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

function galleryOf(
  images: readonly ConfusionImage[],
  standing: readonly EvaluatedMetric[],
  { blobs }: ReportedRun,
) {
  const numberOf = (score: RecordOf<"score"> | undefined) =>
    score?.status === "done" ? score.value : null;
  const isReferenced = images.some(({ reference }) => reference !== undefined);
  return readGallery({
    columns: [
      ...standing.map(({ id, direction }) => {
        const { metric, model } = metricOf({ metrics: standing }, id);
        return { name: metric, model, direction };
      }),
      ...(isReferenced
        ? [{ name: "the reference", model: "F1", direction: "higher" as const }]
        : []),
    ],
    candidates: images.map(({ image, description, reference, scores }) => ({
      ...{ image, text: description.text },
      scores: [
        ...standing.map(({ id }) => numberOf(scores.get(id)?.original)),
        ...(isReferenced ? [reference === undefined ? null : localizedScore("f1", reference)] : []),
      ],
    })),
    blobs,
  });
}

/** A threshold of its own stands at the end of a metric's convention. */
function thresholdOf({ convention = "" }: EvaluatedMetric): { threshold?: number } {
  const last = Number(convention.split(":").at(-1) || Number.NaN);
  return Number.isNaN(last) ? {} : { threshold: last };
}

import { attributes } from "../../analysis/confusion/attributes.js";
import {
  type ConfusionImage,
  confusionGroupedRows,
  confusionImages,
  imagesToSwap,
  isAsDescribed,
  swapRows,
} from "../../analysis/confusion/confusion-images.js";
import { groupedSwapTest } from "../../analysis/confusion/grouped-swap-test.js";
import {
  isNotable,
  soughtEntities,
  unfoundText,
} from "../../analysis/confusion/sought-entities.js";
import { groupedCorrelation } from "../../analysis/correlation/grouped-correlation.js";
import type { TestedMeasurement } from "../../analysis/inference/claims.js";
import { differenceTest } from "../../analysis/inference/exact-tests.js";
import { fewestToTell } from "../../analysis/inference/fewest-to-tell.js";
import { undefinedEstimate } from "../../analysis/inference/intervals.js";
import { metricOf, spokenName } from "../../analysis/inference/metric-name.js";
import { metricWarnings } from "../../analysis/inference/metric-warnings.js";
import { promptClusters } from "../../analysis/inference/prompt-clusters.js";
import { whichSide } from "../../analysis/inference/which-side.js";
import {
  failureDifferences,
  failureRateDifference,
} from "../../analysis/pairs/failure-rate-difference.js";
import { scoreSummary } from "../../analysis/pairs/score-summary.js";
import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import { type ConfusionSwapRow, type SwapConclusion, swap } from "../../analysis/pairs/swap.js";
import { swapWarnings } from "../../analysis/pairs/swap-warnings.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { InputError } from "../../core/errors.js";
import { withoutRevision } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { RecordOf } from "../../core/records.js";
import { type LocalizedScore, localizedScore } from "../../stats/localized-answers.js";
import { readGallery } from "../disagreement-gallery.js";
import { loadConfusionClaims } from "../paper-claims.js";
import { provenanceOf, unscoredCounts } from "../provenance.js";
import { isFromLab, type ReportedRun, readRunRecords } from "../run-records.js";
import type { ConfusionReport, GeneratorResults, SwapSelection } from "./conclusion.js";
import {
  type ComparedCorrelations,
  type ConfusionEvidence,
  comparableSwaps,
  confusionFindings,
} from "./findings.js";
import { followers } from "./followers.js";
import { loadPublishedConfusion } from "./index.js";
import {
  type ExchangedPart,
  exchangedParts,
  type LocalizedMetric,
  localizedMetrics,
  spokenMetrics,
  standingFor,
} from "./localized-metrics.js";
import { rankedBySwap } from "./ranked-by-swap.js";
import { readStrips } from "./read-strips.js";
import { readSwapCards } from "./read-swap-cards.js";

/**
 * Draws the conclusions from an attribute confusion run and gathers the records and images that they
 * cite. The swap test's verdict is about the images that show what they should, by the reference;
 * where there is no reference, about all.
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
  const selections = selectionsOf(images, rows, metrics, { ...options, tieTolerance, unfiltered });
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
  const looking = localized.find(({ metric }) => chosen.includes(metric)) ?? localized[0];
  const [f1, precision, recall] = [
    correlation("f1"),
    correlation("precision"),
    correlation("recall"),
  ];
  const compared = { standing, rows: counted, swap: headline.swap, seed };
  const swapped = differencesOf(compared);
  const closest = f1 && closestOf(f1, standing);
  const { findings, areSignificant } = confusionFindings(
    claims,
    {
      ...compared,
      correlation,
      byStrategy: strategiesOf(localized, chosen),
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
    generators: generatorsOf(images, options),
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
    variants: localized
      .filter(({ target }) => target !== "other")
      .map((variant) => {
        const { metric, strategy, leakage, answerer, localizer } = variant;
        const { id } = metric;
        const summary = headline.swap.metrics[id]?.overall;
        const correlated = f1?.conclusion.metrics[id];
        const none = undefinedEstimate("nobody knows what is in the images");
        return {
          metric: id,
          strategy,
          leakage,
          answerer,
          localizer,
          exchanged: looking === undefined ? [] : exchangedParts(variant, looking),
          swapFailure: summary?.failureRate ?? undefinedEstimate("nothing was scored"),
          swapTies: summary?.tieRate ?? undefinedEstimate("nothing was scored"),
          n: summary?.n ?? 0,
          spearman: correlated?.spearman ?? none,
          kendallTauB: correlated?.kendallTauB ?? none,
        };
      }),
    claims: { paper, findings },
    gallery: await galleryOf(images, standing, run),
    examples: await readSwapCards(imagesToSwap(images, { unfiltered }), {
      metrics: standing,
      worst: ranked[0]?.id,
      best: ranked.at(-1)?.id,
      run,
      tieTolerance,
    }),
    ...(looking === undefined
      ? {}
      : { strips: await readStrips({ images, run, ...looking, ...thresholdOf(looking.metric) }) }),
    unscored: unscoredCounts(records),
    published,
    warnings: [...warningsOf(compared), ...unfoundWarnings(images, spokenMetrics(metrics))],
    ...(unfiltered ? { unfiltered } : {}),
    provenance: provenanceOf({
      run,
      name,
      records,
      intervals: headline.swap.intervals.text,
    }),
  };
}

interface Compared extends Pick<ConfusionReport, "standing"> {
  readonly rows: readonly ConfusionSwapRow[];
  readonly swap: SwapConclusion;
  readonly seed: number;
}

/** Every metric that stands for its name against every other. */
function differencesOf({ standing, rows, swap, seed }: Compared) {
  const comparable = comparableSwaps({ standing, rows });
  const { tieTolerance } = swap;
  return standing.flatMap(({ id: metric }, at) =>
    standing.slice(at + 1).map(({ id: than }) => {
      const both = { metric, than, ties: "half", tieTolerance } as const;
      const difference = failureRateDifference(comparable, { ...both, seed });
      const differing = failureDifferences(comparable, both);
      const random = randomFrom(seed, "exact test", "half of ties", metric, than);
      const tested: TestedMeasurement = {
        measured: `share of swap failures and half of ties of ${metric} minus that of ${than}`,
        scale: "difference of shares",
        estimate: difference,
        n: difference.n,
        clusters: promptClusters(differing).count,
        clusteredBy: "description",
        test: () => differenceTest(differing, { unit: "description", random }),
      };
      return { metric, than, difference, tested };
    }),
  );
}

/** Tests if the closest metric follows the reference's F1, and by how much it leads the next. */
function closestOf(
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

/** What to mind, of metrics as the tables name them. */
const warningsOf = ({ standing, rows, swap }: Compared): string[] =>
  swapWarnings(
    comparableSwaps({ standing, rows })
      .filter(({ metric }) => standing.some(({ id }) => id === metric))
      .map((row) => ({ ...row, metric: spokenName({ metrics: standing }, row.metric) })),
    { tieTolerance: swap.tieTolerance, method: swap.intervals.method },
  );

/** Which metrics judged many entities on the whole image. */
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

interface Counted extends SwapSelection {
  readonly rows: readonly ConfusionSwapRow[];
}

type Intervals = { readonly seed: number; readonly resamples: number | undefined };

/** The images that show what they should, where somebody knows; then all. */
function selectionsOf(
  images: readonly ConfusionImage[],
  rows: readonly ConfusionSwapRow[],
  metrics: readonly EvaluatedMetric[],
  { unfiltered, ...options }: Intervals & TieOptions & { readonly unfiltered: boolean },
): readonly [Counted, ...Counted[]] {
  const directions = new Map(metrics.map(({ id, direction }) => [id, direction]));
  const of = (some: readonly ConfusionSwapRow[]) =>
    swap(some, { ...options, directionOf: (metric) => directions.get(metric) ?? "higher" });
  const all: Counted = {
    name: "all images",
    description: "as they were generated",
    images: images.length,
    rows,
    swap: of(rows),
  };
  const counted = imagesToSwap(images, { unfiltered });
  if (counted === images) return [all];
  const right = new Set(counted.map(({ image }) => image.key as string));
  const itsRows = rows.filter(({ id }) => right.has(id));
  const asDescribed: Counted = {
    name: "as described",
    description: "that show every attribute where it belongs and none elsewhere, by the reference",
    images: right.size,
    rows: itsRows,
    swap: of(itsRows),
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

/** The localised metric that is looked at and those that differ from it in who answers, or who finds, alone. */
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

function generatorsOf(images: readonly ConfusionImage[], intervals: Intervals): GeneratorResults[] {
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
      image,
      text: description.text,
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

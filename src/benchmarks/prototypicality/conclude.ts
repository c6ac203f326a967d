import { metricOf, spokenName } from "../../analysis/inference/metric-name.js";
import { contrastive } from "../../analysis/pairs/contrastive.js";
import { failureRateDifferenceOf } from "../../analysis/pairs/failure-rate-difference.js";
import { excludedWarnings, type Selection } from "../../analysis/pairs/image-pairs.js";
import {
  prototypicalityEffect,
  unmatchedWarnings,
} from "../../analysis/pairs/prototypicality-effect.js";
import { leftOutPrompts, retention } from "../../analysis/pairs/retention.js";
import { defaultTieTolerance, type TieOptions } from "../../analysis/pairs/score-ties.js";
import {
  distinctions,
  type EvaluatedMetric,
  type TripletRow,
  triplets,
} from "../../analysis/pairs/triplets.js";
import { InputError } from "../../core/errors.js";
import type { Key } from "../../core/keys.js";
import type { RecordOf } from "../../core/records.js";
import { shellWord } from "../../core/shell-word.js";
import { type Gallery, readGallery } from "../disagreement-gallery.js";
import { loadPrototypicalityClaims } from "../paper-claims.js";
import { provenanceOf, unscoredCounts } from "../provenance.js";
import { isFromLab, type ReportedRun, type RunRecords } from "../run-records.js";
import type { PrototypicalityReport, SelectionResults } from "./conclusion.js";
import { comparableTriplets, prototypicalityFindings } from "./findings.js";
import { readCards } from "./pair-cards.js";
import { loadPublished } from "./published.js";
import {
  emptiedDomains,
  type RunFilter,
  readCountedRecords,
  refuseNothingKept,
  runFilter,
} from "./run-filter.js";
import { readTimedScores, scoreTimes } from "./score-times.js";

/**
 * Draws the conclusions from a prototypicality run and gathers the records and images that they
 * cite. The verdict is about the filtered pairs where the run has a filter, else about all.
 *
 * @param name what the report calls the run
 * @param unfiltered lets the verdict be about all pairs, filter or not
 * @throws InputError where the run holds no contrastive prompts, IncompleteError where the filter kept
 *   no triplet.
 */
export async function concludePrototypicality({
  run,
  name,
  resamples,
  tieTolerance = defaultTieTolerance,
  unfiltered = false,
  keepFrom,
}: TieOptions & {
  readonly run: ReportedRun;
  readonly name: string;
  readonly unfiltered?: boolean | undefined;
  readonly keepFrom?: number | undefined;
  readonly resamples?: number | undefined;
}): Promise<PrototypicalityReport> {
  const records = await readCountedRecords(run);
  if (records.prompts.length === 0) {
    throw new InputError(
      `Expected a run with the prompts of a benchmark but received ${run.place}, which has none`,
      { hint: "The report shows prototypicality runs, such as that of: touchstone demo --run DIR" },
    );
  }
  const published = loadPublished();
  const { seed } = run.recipe;
  const options = { seed, resamples, tieTolerance };
  const filter = runFilter(records, run.recipe, keepFrom);
  const found = selectionsOf(filter, records.scores).map((selection) => ({
    ...selection,
    ...concluded(records, selection, options),
  }));
  const wanted = unfiltered ? "unfiltered" : found[0]?.selection.name;
  const headline = found.find(({ selection }) => selection.name === wanted);
  if (headline === undefined) throw new RangeError("Expected at least the unfiltered selection");
  const others = found.filter((selection) => selection !== headline);
  const { retention: kept } = headline.results;
  if (kept !== undefined) {
    const command = `touchstone report ${shellWord(name)} --unfiltered`;
    refuseNothingKept(kept, {
      description: headline.description,
      hint: `For conclusions about all of them, unfiltered: ${command}`,
    });
  }

  const { paper, claims } = loadPrototypicalityClaims();
  const compared = differencesOf(headline, options);
  const timed = await readTimedScores(run, records, headline.metrics);
  const evidence = { ...headline, differences: compared, tieTolerance, timed, seed };
  const told = prototypicalityFindings(claims, evidence);
  const differences = compared.map((each, at) => ({
    ...each,
    isTold: told.differences[at] ?? false,
  }));
  const results = {
    ...headline.results,
    metrics: headline.results.metrics.map((each) => ({
      ...each,
      isEffectTold: told.effects.has(each.metric),
    })),
  };
  return {
    name,
    fromLab: isFromLab(records),
    metrics: headline.metrics,
    selections: [results, ...others.map(({ results }) => results)],
    differences,
    tieTolerance,
    ...(await readCards({ records, ...headline, run, tieTolerance })),
    claims: {
      paper,
      findings: told.findings,
    },
    times: scoreTimes(timed, headline.metrics, options),
    gallery: await prototypicalityGallery({ records, metrics: headline.metrics, run }),
    unscored: unscoredCounts(records),
    leftOut: leftOutPrompts(records.prompts),
    published,
    warnings: [
      ...excludedWarnings(records.excluded),
      ...headline.warnings,
      ...(kept === undefined ? [] : emptiedDomains(kept)),
    ],
    provenance: provenanceOf({ run, name, records, intervals: headline.intervals }),
    ...(unfiltered ? { unfiltered } : {}),
  };
}

interface DescribedSelection {
  readonly selection: Selection;
  readonly description: string;
}

/** The selections that the run's records allow, that of its filter first. */
function selectionsOf(
  filter: RunFilter | undefined,
  scores: readonly RecordOf<"score">[],
): DescribedSelection[] {
  const truth = scores.find((score) => score.step.startsWith("check-truth@"));
  const found: DescribedSelection[] = filter === undefined ? [] : [filter];
  found.push({ selection: { name: "unfiltered" }, description: "as they were generated" });
  if (truth !== undefined) {
    found.push({
      selection: { name: "truth-filtered", metric: truth.metric, atLeast: 1 },
      description: "of which both images show all that their prompts say, by the generator's truth",
    });
  }
  return found;
}

interface Concluded {
  readonly metrics: readonly EvaluatedMetric[];
  readonly rows: readonly TripletRow[];
  readonly results: SelectionResults;
  readonly warnings: readonly string[];
  /** How intervals were made, in a sentence. */
  readonly intervals: string;
}

type Options = {
  readonly seed: number;
  readonly resamples: number | undefined;
  readonly tieTolerance: number;
};

function concluded(
  records: RunRecords,
  { selection, description }: DescribedSelection,
  options: Options,
): Concluded {
  const { metrics, rows } = triplets({ ...records, selection });
  const effects = metrics.map(({ id, direction }) => ({
    id,
    conclusion: prototypicalityEffect(
      rows.filter(({ metric }) => metric === id),
      { direction, ...options },
    ),
  }));
  return {
    metrics,
    rows,
    results: {
      name: selection.name,
      description,
      metrics: effects.flatMap(({ id, conclusion }) => {
        const effect = conclusion.metrics[id];
        return effect === undefined ? [] : [{ metric: id, ...effect }];
      }),
      ...(selection.name === "unfiltered"
        ? {}
        : { retention: retention({ ...records, selection, intervals: options }) }),
    },
    warnings: reportWarnings(metrics, rows, options),
    intervals: effects[0]?.conclusion.intervals.text ?? "none: nothing was scored",
  };
}

/** Every metric against every other, on the triplets that both scored. */
function differencesOf(
  { metrics, rows }: Concluded,
  options: Options,
): PrototypicalityReport["differences"] {
  const comparable = comparableTriplets({ metrics, rows });
  return metrics.flatMap(({ id: metric }, at) =>
    metrics.slice(at + 1).map(({ id: than }) => ({
      metric,
      than,
      difference: failureRateDifferenceOf(comparable, { metric, than, ...options }),
    })),
  );
}

/** Returns the caveats of a run, with the metric names of its tables. */
export function reportWarnings(
  metrics: readonly EvaluatedMetric[],
  rows: readonly TripletRow[],
  { tieTolerance }: TieOptions = {},
): string[] {
  const names = new Map(metrics.map(({ id }) => [id, spokenName({ metrics }, id)]));
  const named = rows.map((row) => ({ ...row, metric: names.get(row.metric) ?? row.metric }));
  return [
    // These warnings depend on counts alone, so one resample is enough.
    ...contrastive(
      named.filter(({ comparison }) => comparison === "contrastive"),
      { resamples: 1, tieTolerance },
    ).warnings,
    ...unmatchedWarnings(named),
  ];
}

/**
 * The images on which metrics disagree most, each against the text of its prompt; with the truth
 * among them where the generator's is known: an image made from a right sentence that shows what it
 * says is right, one made from a wrong sentence is wrong.
 */
async function prototypicalityGallery({
  records: { prompts, images, scores },
  metrics,
  run,
}: {
  readonly records: RunRecords;
  readonly metrics: readonly EvaluatedMetric[];
  readonly run: ReportedRun;
}): Promise<Gallery> {
  const texts = new Map<Key, string>();
  for (const prompt of prompts) if (prompt.status === "done") texts.set(prompt.key, prompt.text);
  const shows = new Map<Key, boolean>();
  const values = new Map<string, number>();
  const names = new Map<string, string>();
  const met = new Set<string>();
  for (const score of scores) {
    const identity = identityOf(score);
    if (!met.has(identity)) names.set(idOf(score, metrics) ?? "", identity);
    met.add(identity);
    if (score.status !== "done" || score.trial !== 0) continue;
    if (score.step.startsWith("check-truth@")) shows.set(score.of, score.value === 1);
    else values.set(`${score.of} ${identity} ${score.text}`, score.value);
  }
  const isKnown = shows.size > 0;
  return readGallery({
    columns: [
      ...metrics.map(({ id, direction }) => {
        const { metric, model } = metricOf({ metrics }, id);
        return { name: metric, model, direction };
      }),
      ...(isKnown
        ? [{ name: "the truth", model: "1 if right", direction: "higher" as const }]
        : []),
    ],
    candidates: images.flatMap((image) => {
      const text = texts.get(image.prompt);
      if (image.status !== "done" || text === undefined) return [];
      const truth = shows.get(image.key);
      const isMeantRight = image.role === "correct" || image.role === "control-correct";
      return [
        {
          image,
          text,
          scores: [
            ...metrics.map(({ id }) => values.get(`${image.key} ${names.get(id)} ${text}`) ?? null),
            // Nobody checked the other contents of a picture that does not show its prompt.
            ...(isKnown ? [truth === true ? Number(isMeantRight) : null] : []),
          ],
        },
      ];
    }),
    blobs: run.blobs,
  });
}

const identityOf = (score: RecordOf<"score">): string => JSON.stringify(distinctions(score));

/** The metric of the report whose score this is. */
const idOf = (score: RecordOf<"score">, metrics: readonly EvaluatedMetric[]) =>
  metrics.find(
    ({ metric, model, baseUrl, convention, template, version }) =>
      metric === score.metric &&
      model === score.model &&
      baseUrl === score.baseUrl &&
      convention === score.convention &&
      template === score.template &&
      version === score.metricVersion,
  )?.id;

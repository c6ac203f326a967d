import type { IntervalOptions } from "../analysis/inference/intervals.js";
import type { TieOptions } from "../analysis/pairs/score-ties.js";
import type { EvaluatedMetric } from "../analysis/pairs/triplets.js";
import { type TrustCard, trustCard } from "../analysis/trust-card/trust-card.js";
import type { CardRow } from "../analysis/trust-card/trust-card-rows.js";
import { InputError } from "../core/errors.js";
import { isProbability, type MetricFacts } from "../core/metric.js";
import { withoutRevision } from "../core/models.js";
import { shellWord } from "../core/shell-word.js";
import { benchmarkOf } from "./benchmarks.js";
import { readTimedScores, type TimedScore } from "./prototypicality/score-times.js";
import { type ReportedRun, readRunRecords } from "./run-records.js";

/** One metric of a run with the rows of its card. */
export interface RunCard {
  readonly metric: EvaluatedMetric;
  readonly rows: readonly CardRow[];
  /** Which pairs of images the rows are from. */
  readonly selection: string;
  readonly isFromLab: boolean;
}

/**
 * Reads from a finished run the rows for a card of each of its metrics.
 *
 * @param options.unfiltered all pairs and images, whatever the filter or the reference says of them
 * @throws InputError where nothing was scored, IncompleteError where the filter kept nothing.
 */
export async function readRunCards(
  run: ReportedRun,
  name: string,
  { unfiltered = false }: { readonly unfiltered?: boolean } = {},
): Promise<RunCard[]> {
  const cards = await benchmarkOf(run.recipe)?.cards?.(run, { name, unfiltered });
  if (cards === undefined || cards.metrics.length === 0) {
    throw new InputError(`Expected a run with scores of a benchmark but ${name} has none`, {
      hint: `Score its images first: touchstone score ${shellWord(name)} --metric …; then: touchstone card ${shellWord(name)}`,
    });
  }
  const { metrics, selection, isFromLab } = cards;
  const timed = await readTimedScores(
    run,
    await readRunRecords(run),
    metrics.map(({ metric }) => metric),
  );
  const taken = new Map(timed.map((score) => [score.score, score]));
  return metrics.map(({ metric, rows }) => ({
    metric,
    rows: withTimes(rows, taken),
    selection,
    isFromLab,
  }));
}

/** Rows with what their score took, each score once; no cost where no hosted model was called. */
function withTimes(
  rows: readonly CardRow[],
  taken: ReadonlyMap<string, TimedScore>,
): readonly CardRow[] {
  const told = new Set<string>();
  return rows.map((row) => {
    const { record = "" } = row;
    const time = taken.get(record);
    if (time === undefined || told.has(record)) return row;
    told.add(record);
    const { seconds, calls, cost } = time;
    return { ...row, seconds, ...(calls > 0 ? { cost } : {}) };
  });
}

/**
 * The trust card of each of a run's metrics, by its own records.
 *
 * @param name what messages and the card's source call the run
 * @throws InputError as `readRunCards` does.
 */
export async function runTrustCards(
  run: ReportedRun,
  name: string,
  { unfiltered, ...options }: IntervalOptions & TieOptions & { readonly unfiltered?: boolean } = {},
): Promise<TrustCard[]> {
  const cards = await readRunCards(run, name, { unfiltered: unfiltered ?? false });
  return cards.map(({ metric, rows, selection, isFromLab }) =>
    trustCard(rows, {
      name: cardName(metric),
      direction: metric.direction,
      isProbability: isProbability(metric),
      isPairwise: false,
      reference: "the generator's truth",
      source: `the records of ${name} (${selection})`,
      caveat: isFromLab ? labCaveat : undefined,
      absence: `The run does not tell; pictures of the lab may: touchstone card --metric ${metric.metric} --model …`,
      ...options,
    }),
  );
}

/** Name of a metric on a card. @example "clip-score:hessel (lab:dual-encoder-skewed)" */
export const cardName = ({
  metric,
  convention,
  model,
}: Pick<MetricFacts, "metric" | "convention" | "model">): string =>
  `${metric}${convention === undefined ? "" : `:${convention}`} (${withoutRevision(model)})`;

/** Said of every card whose pictures the lab painted. */
export const labCaveat =
  "The lab is a world of clip art: this is no evidence about pictures of other kinds.";

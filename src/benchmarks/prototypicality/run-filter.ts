import { z } from "zod";
import type { Selection } from "../../analysis/pairs/image-pairs.js";
import { type Retention, retention } from "../../analysis/pairs/retention.js";
import { IncompleteError } from "../../core/errors.js";
import type { MetricDescription } from "../../core/metric.js";
import { withoutRevision } from "../../core/models.js";
import type { ReportedRun, RunRecords } from "../run-records.js";
import { readCountedRecords } from "./excluded-triplets.js";
import { loadPublished } from "./published.js";

/** The filter that a prototypicality run put its images through. */
export interface RunFilter {
  readonly selection: Selection;
  /** Goes on after "pairs". */
  readonly description: string;
}

const step = "rate-images";
const raterSchema = z.object({
  metric: z.string(),
  model: z.string(),
  range: z.array(z.number()),
  keepFrom: z.number().optional(),
});

/**
 * The run's filter by its ratings or, before the first, by its recipe; undefined where none was asked
 * for. Its threshold is `keepFrom`, else what scoring was told, else the paper's.
 */
export function runFilter(
  { scores }: Pick<RunRecords, "scores">,
  recipe: ReportedRun["recipe"],
  keepFrom?: number,
): RunFilter | undefined {
  const planned = raterSchema.safeParse(recipe.steps.find(({ name }) => name === step)?.parameters);
  const rater = scores.find((score) => score.step.startsWith(`${step}@`)) ?? planned.data;
  return rater && filterBy(rater, keepFrom ?? planned.data?.keepFrom);
}

/** The filter by a rater that is still to rate. */
export const plannedFilter = (rater: MetricDescription, keepFrom?: number): RunFilter =>
  filterBy({ ...rater, metric: rater.name }, keepFrom);

function filterBy(
  {
    metric,
    model,
    range,
  }: { readonly metric: string; readonly model: string; readonly range: readonly number[] },
  atLeast = loadPublished().retention.threshold,
): RunFilter {
  return {
    selection: { name: "filtered", metric, atLeast },
    description: `of which ${withoutRevision(model)} rated both images ${atLeast} or more of ${range[1]} (${metric})`,
  };
}

/**
 * Stops where a filter kept no triplet: conclusions about all would rest on what was filtered out.
 *
 * @param hint what can be done
 * @throws IncompleteError with what was lost, by domain and reason.
 */
export function refuseNothingKept(
  { overall, domains }: Retention,
  { description, hint }: { readonly description: string; readonly hint: string },
): void {
  if (overall.kept > 0 || overall.pairs === 0) return;
  throw new IncompleteError(
    `Expected triplets ${description} but the filter kept none of ${overall.pairs}: ${domains
      .map(({ domain, pairs, lost }) => `${domain} 0 of ${pairs} (${reasonsText(lost)})`)
      .join("; ")}`,
    { hint },
  );
}

/** Tells whether the run's filter kept none of its triplets. */
export async function isEmptiedByFilter(run: ReportedRun): Promise<boolean> {
  const records = await readCountedRecords(run);
  const filter = runFilter(records, run.recipe);
  if (filter === undefined) return false;
  const { overall } = retention({ ...records, ...filter, intervals: { resamples: 1 } });
  return overall.kept === 0 && overall.pairs > 0;
}

/** A sentence for each domain that a filter emptied, while it kept some of another. */
export const emptiedDomains = ({ overall, domains }: Retention): string[] =>
  overall.kept === 0
    ? []
    : domains
        .filter(({ kept }) => kept === 0)
        .map(
          ({ domain, pairs, lost }) =>
            `the filter kept none of the ${pairs} triplets of ${domain} (${reasonsText(lost)}), so nothing filtered is about it`,
        );

const reasonsText = (lost: Readonly<Record<string, number>>): string =>
  Object.entries(lost)
    .map(([reason, count]) => `${reason}: ${count}`)
    .join(", ");

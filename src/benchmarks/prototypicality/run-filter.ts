import { z } from "zod";
import {
  type ExcludedTriplets,
  type Selection,
  tripletOf,
} from "../../analysis/pairs/image-pairs.js";
import { type Retention, retention } from "../../analysis/pairs/retention.js";
import { IncompleteError, InputError } from "../../core/errors.js";
import type { MetricDescription } from "../../core/metric.js";
import { withoutRevision } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import { type ReportedRun, type RunRecords, readRunRecords } from "../run-records.js";
import { loadPublished } from "./published.js";
import type { BrokenRule } from "./rules.js";

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

/** The document of a run that lists them. */
const excludedFile = "excluded.json";

const listed = z.array(z.strictObject({ triplet: z.string(), reason: z.string().min(1) }));

/** @throws InputError where the list was changed into none. */
export async function readExcluded({
  documents,
  place,
}: Pick<ReportedRun, "documents" | "place">): Promise<ExcludedTriplets> {
  const text = await documents.read(excludedFile);
  if (text === undefined) return new Map();
  try {
    return new Map(listed.parse(JSON.parse(text)).map(({ triplet, reason }) => [triplet, reason]));
  } catch (cause) {
    throw new InputError(`Expected triplets with reasons in ${excludedFile} of ${place}`, {
      cause,
      hint: "Write the list anew: touchstone run exclude RUN FILE",
    });
  }
}

/** Replaces the list of a run's excluded triplets. */
export async function writeExcluded(
  { documents }: Pick<ReportedRun, "documents">,
  excluded: ExcludedTriplets,
): Promise<void> {
  const rows = [...excluded].map(([triplet, reason]) => JSON.stringify({ triplet, reason }));
  await documents.write(excludedFile, `[\n${rows.join(",\n")}\n]\n`);
}

/** Records of a run without the images of excluded triplets, and why these are left out. */
interface CountedRecords extends RunRecords {
  readonly excluded: ExcludedTriplets;
}

/** Reads the records that conclusions about triplets are drawn from. */
export async function readCountedRecords(
  run: Pick<ReportedRun, "ofType" | "place" | "documents">,
): Promise<CountedRecords> {
  const records = await readRunRecords(run);
  const excluded = await readExcluded(run);
  if (excluded.size === 0) return { ...records, excluded };
  const images = records.images.filter((image) => !excluded.has(tripletOf(image)));
  return { ...records, images, excluded };
}

/** Why a triplet was dropped, as its record says it: the rules it broke, and how it broke the first. */
export const droppedFor = (broken: readonly BrokenRule[]): string =>
  `${broken.map(({ rule }) => rule).join(", ")}: ${broken[0]?.message ?? ""}`;

/** How many triplets were dropped for each rule, the most first; one that broke two counts for both. */
export function droppedByRule(prompts: readonly RecordOf<"prompt">[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const prompt of prompts) {
    for (const rule of rulesBroken(prompt)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return new Map([...counts].sort((a, b) => b[1] - a[1]));
}

/** The rules for which a triplet was dropped; none of one that was written, or had no answer at all. */
export function rulesBroken(prompt: RecordOf<"prompt">): readonly string[] {
  if (prompt.status === "done" || prompt.reason !== "unparsable") return [];
  const names = /^([a-z]+(?:-[a-z]+)+(?:, [a-z]+(?:-[a-z]+)+)*): /.exec(prompt.detail)?.[1];
  return names?.split(", ") ?? [];
}

import { z } from "zod";
import { type ExcludedTriplets, tripletOf } from "../../analysis/pairs/image-pairs.js";
import { InputError } from "../../core/errors.js";
import type { RecordOf } from "../../core/records.js";
import { type ReportedRun, type RunRecords, readRunRecords } from "../run-records.js";
import type { BrokenRule } from "./rules.js";

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
export interface CountedRecords extends RunRecords {
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

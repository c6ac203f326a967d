import { z } from "zod";
import { canonicalJson, type JsonObject } from "../../core/json.js";
import type { BlockSettings } from "../config/study-config.js";
import type { StudyItem } from "../study.js";

/** One person's answer to one item, as a run keeps it. */
const personAnswer = z.object({
  annotator: z.string(),
  item: z.string(),
  value: z.union([z.string(), z.number()]),
});
export type PersonAnswer = z.output<typeof personAnswer>;

const detailsSchema = z.object({ people: z.array(personAnswer) });

/** Reads the answers of people that a score was made from; empty for scores of models. */
export function peopleBehind(details: JsonObject | undefined): readonly PersonAnswer[] {
  const found = detailsSchema.safeParse(details);
  return found.success ? found.data.people : [];
}

/** An answer that counts, and the item that it is about. */
export interface ItemValue {
  readonly item: StudyItem;
  readonly value: string | number;
}

/** How the answers of a protocol become a score of an image. */
export interface PeopleMetric {
  readonly statistic: string;
  range(settings: BlockSettings): readonly [low: number, high: number];
  /** The score of one image; undefined where these answers give none. */
  score(
    answers: readonly ItemValue[],
    settings: BlockSettings,
  ): { readonly value: number; readonly details?: JsonObject } | undefined;
}

/**
 * Returns a record fit for publication: a score by people keeps the answers without the pseudonyms, sorted so
 * that their order tells nothing. Other records stay as they are.
 */
export function withoutPseudonyms(record: unknown): unknown {
  if (typeof record !== "object" || record === null || !("details" in record)) return record;
  const details = record.details as JsonObject | undefined;
  const people = peopleBehind(details);
  if (people.length === 0) return record;
  const answers = people
    .map(({ item, value }) => ({ item, value }))
    .sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  return { ...record, details: { ...details, people: answers } };
}

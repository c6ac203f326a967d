import { z } from "zod";
import type { JsonObject } from "../../core/json.js";
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

/** Reads the answers of people behind a score; none where there are none. */
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

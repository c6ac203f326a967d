import { z } from "zod";

/** How many entities a localised metric looked for, and of how many there was no trace. */
export interface SoughtEntities {
  readonly all: number;
  /** Their questions were asked on the whole image. */
  readonly notFound: number;
}

const detailsSchema = z.object({
  questions: z.array(z.object({ on: z.string(), mask: z.enum(["found", "none", "not asked"]) })),
});

/**
 * The entities that a localiser was asked for, over scores of one metric.
 *
 * @param details those of each score
 * @returns `all` is 0 where no score says of a localiser.
 */
export function soughtEntities(details: Iterable<unknown>): SoughtEntities {
  const sought = { all: 0, notFound: 0 };
  for (const each of details) {
    const parsed = detailsSchema.safeParse(each);
    if (!parsed.success) continue;
    const masks = new Map(parsed.data.questions.map(({ on, mask }) => [on, mask]));
    for (const mask of masks.values()) {
      if (mask !== "not asked") sought.all += 1;
      if (mask === "none") sought.notFound += 1;
    }
  }
  return sought;
}

/** From this share on, scores say much about whole images. */
const notableShare = 0.1;

export const isNotable = ({ all, notFound }: SoughtEntities): boolean =>
  notFound > 0 && notFound >= notableShare * all;

/** @example unfoundText({ all: 36, notFound: 18 }) // "18 of 36 entities were not found and were judged on the whole image" */
export function unfoundText({ all, notFound }: SoughtEntities): string {
  const was = notFound === 1 ? "was" : "were";
  return `${notFound} of ${all} entities ${was} not found and ${was} judged on the whole image`;
}

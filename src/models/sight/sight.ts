import { z } from "zod";

/**
 * How a model fared when it was asked for colours: `sees`, `unclear` (too few right answers to tell, or none
 * that can be read), `blind`; `exempt` where it can't be asked, `skipped` where it was not.
 */
const sightStates = ["sees", "unclear", "blind", "exempt", "skipped"] as const;

export const sightSchema = z.object({
  state: z.enum(sightStates),
  /** Right answers. */
  right: z.int(),
  of: z.int(),
  /** What was drawn, image by image (of two images at a time, both), and what was said to it. */
  drawn: z.array(z.string()),
  said: z.array(z.string()),
  /** Says what is wrong, where something is. */
  note: z.string().exactOptional(),
});

/** The result of a sight check. */
export type Sight = Readonly<z.output<typeof sightSchema>>;

/** A sight that was not looked at. */
export const notLooked = (state: "exempt" | "skipped"): Sight => ({
  state,
  right: 0,
  of: 0,
  drawn: [],
  said: [],
});

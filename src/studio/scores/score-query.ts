import { z } from "zod";
import { unscoredReasons } from "../../core/unscored.js";

/** Rows of a file of scores, as an address asks for them. */
export const scoreQuery = z.object({
  /** The first of the file if not given. */
  metric: z.string().max(500).optional(),
  /** Rows without a score, for one reason or any. */
  reason: z.enum([...unscoredReasons, "any"]).optional(),
  text: z.string().max(500).default(""),
  order: z.enum(["worst", "best"]).default("worst"),
  limit: z.coerce.number().int().min(1).max(500).default(60),
  cursor: z.coerce.number().int().nonnegative().max(1e9).default(0),
});
export type ScoreQuery = z.output<typeof scoreQuery>;

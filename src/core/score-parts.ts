import { z } from "zod";
import { jsonObject } from "./record-schema.js";

/** What a score may say beside its value. Each is a member of records and results, and a column of tables. */
export const scoreParts = {
  /** The exact question that was asked, for metrics that ask one. */
  question: z.string().optional(),
  /** The parts of the number, for those who ask why: each question, each answer. */
  details: jsonObject.optional(),
};

export type ScoreParts = { readonly [Part in ScorePart]?: z.output<(typeof scoreParts)[Part]> };
type ScorePart = keyof typeof scoreParts;

export const scorePartNames = Object.keys(scoreParts) as readonly ScorePart[];

/** Those parts of a score that it says. */
export function partsOf(score: ScoreParts): ScoreParts {
  const said: Partial<Record<ScorePart, unknown>> = {};
  for (const name of scorePartNames) if (score[name] !== undefined) said[name] = score[name];
  return said as ScoreParts;
}

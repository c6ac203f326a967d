import { z } from "zod";
import type { TrustCard } from "../../analysis/trust-card/trust-card.js";
import { figureIds } from "../../analysis/trust-card/trust-card-figure.js";
import { InputError } from "../../core/errors.js";

const number = z.number().nullable();
const estimate = z.looseObject({
  name: z.string(),
  unit: z.enum(["share", "points", "number", "score", "seconds", "dollars"]),
  value: number,
  low: number,
  high: number,
  oneSided: z.object({ low: z.number(), high: z.number() }).optional(),
});
const figure = z.looseObject({
  id: z.enum(figureIds),
  title: z.string(),
  status: z.enum(["holds", "fails", "undecided", "measured", "not-measured", "not-applicable"]),
  sentence: z.string(),
  of: z.string(),
  n: z.number(),
  unscored: z.number(),
  estimate: estimate.optional(),
  expectation: z
    .object({ low: z.number().optional(), high: z.number().optional(), text: z.string() })
    .optional(),
  further: z.record(z.string(), estimate),
  beside: z.array(z.string()).optional(),
  judgedBy: z.string().optional(),
});
const card = z.looseObject({
  subject: z.looseObject({ name: z.string(), source: z.string() }),
  n: z.number(),
  unscored: z.number(),
  verdict: z.string(),
  figures: z.partialRecord(z.enum(figureIds), figure),
  warnings: z.array(z.string()),
  method: z.string(),
});
const file = z.object({ cards: z.array(card).min(1).max(200) });

/**
 * The cards in a file that `card --out FILE.json` wrote.
 *
 * @throws InputError where it holds none.
 */
export function readCardFile(text: string, name: string): TrustCard[] {
  const { data, error } = file.safeParse(parsed(text));
  if (error === undefined) return data.cards as unknown as TrustCard[];
  const [issue] = error.issues;
  throw new InputError(
    `Expected trust cards in ${name} but ${issue?.path.join(".") || "it"}: ${issue?.message}`,
    { hint: "touchstone card RUN --out card.json writes them." },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { z } from "zod";
import type { TrustCard } from "../../analysis/trust-card/trust-card.js";
import { figureIds } from "../../analysis/trust-card/trust-card-figure.js";
import { InputError } from "../../core/errors.js";
import { jsonOrNone } from "../../core/read-json.js";

/** Raised where a reader of earlier card files would misread one. */
export const cardFileVersion = 1;

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
  behind: z
    .looseObject({ source: z.string(), rows: z.number(), examples: z.array(z.string()) })
    .describe("The rows that the figure is made of")
    .optional(),
});
const card = z.looseObject({
  subject: z.looseObject({ name: z.string(), source: z.string() }),
  n: z.number(),
  unscored: z.number(),
  verdict: z.string(),
  figures: z.partialRecord(z.enum(figureIds), figure),
  warnings: z.array(z.string()),
  notes: z
    .array(z.string())
    .optional()
    .describe("What published answers say of it, what it sees and reads"),
  judgeCheck: z
    .looseObject({ verdict: z.string() })
    .optional()
    .describe("Of a judge of pairs: as judge check --json"),
  method: z.string(),
});

/** Schema of what `card --json` prints and `card --out FILE.json` writes; data/card.schema.json is made from it. */
export const cardFileSchema = z.looseObject({
  format: z.literal("touchstone-card").optional().describe("Missing in files of version 0.2.0"),
  version: z.int().min(1).max(cardFileVersion).optional(),
  software: z.string().optional().describe("What wrote the file"),
  inputs: z
    .array(z.object({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .optional()
    .describe(
      "What the cards were made of; empty where models were asked about pictures of the lab",
    ),
  evidence: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "What published people's answers say of a metric of the name, which nobody measured here",
    ),
  cards: z.array(card).min(1).max(200),
  verdict: z.string().optional(),
});

/** A card file with its cards as they were concluded. */
export interface CardFile
  extends Pick<
    z.infer<typeof cardFileSchema>,
    "format" | "version" | "software" | "inputs" | "evidence" | "verdict"
  > {
  readonly cards: TrustCard[];
}

/**
 * Reads a file that `card --out FILE.json` wrote.
 *
 * @throws InputError where it holds no cards, or is of a later version.
 */
export function readCardFile(text: string, name: string): CardFile {
  const { data, error } = cardFileSchema.safeParse(jsonOrNone(text));
  // The schema is of what readers need; the rest stands in the file as it was written.
  if (error === undefined) {
    const cards = data.cards.map((each) => ({ notes: [], ...each }));
    return { ...data, cards: cards as unknown as TrustCard[] };
  }
  const [issue] = error.issues;
  throw new InputError(
    `Expected trust cards in ${name} but ${issue?.path.join(".") || "it"}: ${issue?.message}`,
    { hint: "touchstone card RUN --out card.json writes them." },
  );
}

import { z } from "zod";

/** Which of two images is better; a question of yes or no about one; a rating of one. */
export const promptKinds = ["pairwise", "yes-no", "ordinal"] as const;
export type PromptKind = (typeof promptKinds)[number];

const words = z.string().trim().min(1);
/** Parts' names make a prompt's, so they hold no slash. Numbers alone would lose their order. */
const name = z
  .string()
  .regex(/^(?!\d+$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/, "a name is letters, digits and hyphens");

const some = <Part extends z.ZodType>(part: Part) =>
  z.record(name, part).refine((parts) => Object.keys(parts).length > 0, "there is none");

const template = z.strictObject({ task: words, question: words });

/** `answers` in the order of places (pairwise), of yes and no, or from the lowest rating up. */
const glyphs = z.strictObject({
  answers: z.array(words).min(2).max(9),
  /** The text before each image, in the order of places. */
  labels: z.array(words).length(2).optional(),
  /** With {answers}; of ratings also {lowest} and {highest}. */
  ask: words,
});

const shared = {
  version: z.int().positive(),
  rules: words.optional(),
  personas: some(words),
  templates: some(template),
  criteria: some(words),
};

const pair = glyphs.extend({
  answers: z.array(words).length(2),
  labels: z.array(words).length(2),
});
const yesOrNo = glyphs.omit({ labels: true }).extend({ answers: z.array(words).length(2) });
const scale = glyphs.omit({ labels: true });

const pairwise = z.strictObject({
  kind: z.literal("pairwise"),
  ...shared,
  glyphs: some(pair),
  orders: some(z.array(z.enum(["a", "b"])).length(2)),
  tie: z.strictObject({ answer: words, ask: words }).optional(),
});
const yesNo = z.strictObject({
  kind: z.literal("yes-no"),
  ...shared,
  glyphs: some(yesOrNo),
  orders: some(z.array(z.enum(["yes", "no"])).length(2)),
});
const ordinal = z.strictObject({
  kind: z.literal("ordinal"),
  ...shared,
  glyphs: some(scale),
  orders: some(z.array(z.enum(["rising", "falling"])).length(1)),
});

/** What a file of data/prompts may hold; pairwise.yaml explains each member at its place. */
export const promptPoolSchema = z.discriminatedUnion("kind", [pairwise, yesNo, ordinal]);

/** The parts that a pool's prompts are composed of. */
export type PromptPool = z.output<typeof promptPoolSchema>;

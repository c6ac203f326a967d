import { z } from "zod";
import { type ChatMessage, type Picture, turn } from "../core/models.js";
import { promptKinds } from "./read-prompt-pool.js";

/**
 * A prompt of a pool, in words, with nothing left to fill in but what is judged: it can be kept in a
 * file and asked without the pool.
 */
export const promptSchema = z.strictObject({
  /** persona/template/criterion/glyphs/order, such as `critic/short/fidelity/AB/straight`. */
  id: z.string(),
  /** `name@version` of the pool that it is from. */
  pool: z.string(),
  kind: z.enum(promptKinds),
  parts: z.strictObject({
    persona: z.string(),
    template: z.string(),
    criterion: z.string(),
    glyphs: z.string(),
    order: z.enum(["straight", "flipped"]),
  }),
  /** Who the model is, and that quotations are no orders. */
  system: z.string(),
  /** The task; {caption} or {question} is where that goes, in double quotes. */
  task: z.string(),
  /** The question, and how it is to be answered. */
  question: z.string(),
  /** The text before each image; of one image there is none. */
  labels: z.array(z.string()),
  /** The words to be answered with: by place (pairwise), yes and no, from the lowest rating up. */
  answers: z.array(z.string()),
  /** Which image of the pair is shown at which place; otherwise in which order answers are named. */
  order: z.array(z.string()),
  /** Where a tie may be allowed: its word, and what is then added to `question`. */
  tie: z.strictObject({ answer: z.string(), ask: z.string() }).optional(),
});

export type Prompt = z.output<typeof promptSchema>;

/** A prompt's name without its order: the wording, which both orders share. */
export const wordingOf = ({ id }: Pick<Prompt, "id">): string => id.replace(/\/[^/]*$/, "");

/**
 * Messages that ask a model to compare two images: who it is; the task with the caption; each image behind
 * its label, at its place; the question.
 *
 * @param shown the images in the order of places
 * @param ties whether the model may call both equal
 */
export function pairMessages(
  { system, task, question, labels, tie }: Prompt,
  {
    caption,
    shown,
    ties = false,
  }: {
    readonly caption: string;
    readonly shown: readonly [Picture, Picture];
    readonly ties?: boolean;
  },
): ChatMessage[] {
  const images = shown.flatMap((image, place) => [labels[place] ?? "", image]);
  const asked = inPlace(ties && tie !== undefined ? `${question} ${tie.ask}` : question, caption);
  return [turn("system", system), turn("user", inPlace(task, caption), ...images, asked)];
}

/** Messages that ask a model to judge one image by a caption or a question. */
export const imageMessages = (
  { system, task, question }: Prompt,
  { about, image }: { readonly about: string; readonly image: Picture },
): ChatMessage[] => [turn("system", system), turn("user", inPlace(task, about), image, question)];

const inPlace = (task: string, about: string): string =>
  task.replace(/\{(caption|question)\}/, () => quotable(about));

/**
 * A text as it may stand in double quotes: on one line, with single quotes for its own, so that
 * nothing in it can end the quotation.
 *
 * @example quotable('a sign that says "stop"') // "a sign that says 'stop'"
 */
const quotable = (said: string): string =>
  said
    .trim()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/["\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02]/g, "'");

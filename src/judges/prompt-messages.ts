import { type ChatMessage, type Picture, turn } from "../core/models.js";
import type { Prompt } from "./prompt.js";

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

import type { ChatMessage, ChatPart, Picture } from "../core/models.js";
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
  const images = shown.flatMap((image, place): ChatPart[] => [
    text(labels[place] ?? ""),
    { type: "image", image },
  ]);
  const asked = ties && tie !== undefined ? `${question} ${tie.ask}` : question;
  return [
    { role: "system", parts: [text(system)] },
    { role: "user", parts: [text(inPlace(task, caption)), ...images, text(asked)] },
  ];
}

/** Messages that ask a model to judge one image by a caption or a question. */
export const imageMessages = (
  { system, task, question }: Prompt,
  { about, image }: { readonly about: string; readonly image: Picture },
): ChatMessage[] => [
  { role: "system", parts: [text(system)] },
  {
    role: "user",
    parts: [text(inPlace(task, about)), { type: "image", image }, text(question)],
  },
];

const text = (words: string): ChatPart => ({ type: "text", text: words });

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

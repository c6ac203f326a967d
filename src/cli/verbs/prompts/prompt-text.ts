import type { Prompt } from "../../../judges/prompt.js";

/** A prompt as a model is told it, with places for what is judged. */
export function promptText({ system, task, question, labels, order, tie }: Prompt): string {
  const images =
    labels.length === 0
      ? ["<the image>"]
      : labels.flatMap((label, place) => [label, `<image ${order[place]}>`]);
  return [
    "system:",
    indented([system]),
    "user:",
    indented([task, ...images, question]),
    ...(tie === undefined ? [] : ["where a tie is allowed:", indented([tie.ask])]),
  ].join("\n");
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

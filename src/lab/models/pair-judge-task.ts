import type { ChatPart, ChatRequest, Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { instructionIds } from "./instruction-words.js";

/** A question to a judge of pairs. */
export interface PairTask {
  readonly caption: string;
  /** The pictures in the order in which they are shown, each with the word that stands for it. */
  readonly shown: readonly [ShownPicture, ShownPicture];
  /** All other words, the labels' too. */
  readonly instruction: string;
  /** Whether it may say that neither is better. */
  readonly ties: boolean;
}

interface ShownPicture {
  readonly picture: Picture;
  /** As the label before the picture has it, without marks: "A" of "A)". */
  readonly answer: string;
}

/** The answer where neither is better. */
export const tieAnswer = "tie";

/**
 * Takes a request apart as the prompts of data/prompts/pairwise.yaml are put together: two pictures
 * in the last message of the user, a label before each, the caption in the first quotation marks; a
 * tie where the word is said.
 *
 * @throws NoAnswer "not-applicable" that says what is missing.
 */
export function pairTaskOf({ messages }: ChatRequest): PairTask {
  const refused = (detail: string) => new NoAnswer("not-applicable", `lab:judge ${detail}`);
  const asked = messages.findLast(({ role }) => role === "user")?.parts ?? [];
  const [first, second, third] = shownIn(asked);
  if (first === undefined || second === undefined || third !== undefined) {
    throw refused("compares two pictures, no more and no fewer");
  }
  const labels = [first, second].map(({ answer }) => answer.toLowerCase());
  if (labels.includes("") || labels[0] === labels[1]) {
    throw refused("needs a label of its own before each of the two pictures");
  }
  const said = textOf(asked);
  const quoted = /"(?<caption>[^"]+)"/.exec(said);
  if (quoted?.groups?.caption === undefined) {
    throw refused("compares pictures for the caption in quotation marks, and there is none");
  }
  const system = messages.filter(({ role }) => role === "system").flatMap(({ parts }) => parts);
  const instruction = [textOf(system), said.replace(quoted[0], " ")].join("\n");
  if (instructionIds(instruction).length === 0) throw refused("needs a word of what it is to do");
  return {
    caption: quoted.groups.caption,
    shown: [first, second],
    instruction,
    ties: wordsOf(instruction).includes(tieAnswer),
  };
}

const textOf = (parts: readonly ChatPart[]): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Each picture with the last word before it that is not quoted; none behind another picture. */
function shownIn(parts: readonly ChatPart[]): ShownPicture[] {
  return parts.flatMap((part, at) => {
    if (part.type !== "image") return [];
    const before = parts[at - 1];
    const unquoted = before?.type === "text" ? before.text.replaceAll(/"[^"]*"/g, " ") : "";
    const words = unquoted.match(/[\p{L}\p{N}]+/gu);
    return [{ picture: part.image, answer: words?.at(-1) ?? "" }];
  });
}

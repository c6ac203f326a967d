import type { ChatReply } from "../../core/models.js";
import { foundJson } from "./found-json.js";
import { saidWord, withoutThought, wordOf } from "./said-text.js";

/** The words of each possible answer, in small letters. */
export type Spellings<Answer extends string> = Readonly<Record<Answer, readonly string[]>>;

/**
 * The answer that a reply says: its whole text, what follows its thought, what it marks as its answer, or
 * the one member of its JSON that is an answer.
 *
 * @returns `undefined` where it says something else, goes on after the word, or was cut off.
 */
export function saidAnswer<Answer extends string>(
  { text, finish }: Pick<ChatReply, "text" | "finish">,
  spellings: Spellings<Answer>,
): Answer | undefined {
  if (finish === "length") return undefined;
  const answers = Object.keys(spellings) as Answer[];
  const spelled = (word: string) => answers.find((answer) => spellings[answer].includes(word));
  const said = spelled(saidWord(text));
  if (said !== undefined) return said;
  // JSON in prose is a part of what is said.
  if (!/^(?:```\w*)?\s*\{.*\}\s*(?:```)?$/s.test(withoutThought(text).trim())) return undefined;
  const [json, ...others] = foundJson(text);
  if (others.length > 0) return undefined;
  const members = Object.values(Object(json)).flatMap((value) =>
    typeof value === "string" || typeof value === "number"
      ? (spelled(wordOf(String(value))) ?? [])
      : [],
  );
  return members.length === 1 ? members[0] : undefined;
}

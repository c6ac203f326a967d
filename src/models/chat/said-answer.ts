import type { ChatReply } from "../../core/models.js";
import { foundJson } from "./found-json.js";
import { saidWord, withoutThought, wordOf } from "./said-text.js";

/** The words of each possible answer, in small letters. */
export type Spellings<Answer extends string> = Readonly<Record<Answer, readonly string[]>>;

/**
 * The answer that a reply says: its whole text, what follows its thought, what it marks as its answer, or
 * the one member of its JSON that may be it, reasons and certainties apart.
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
  const scalars = Object.entries(Object(json)).filter(([, value]) =>
    ["string", "number", "boolean"].includes(typeof value),
  );
  const named = scalars.filter(([name]) => /answer/i.test(name));
  const [member, ...rest] = named.length > 0 ? named : scalars.filter(isNoAside);
  return member === undefined || rest.length > 0 ? undefined : spelled(wordIn(member[1]));
}

const wordIn = (value: unknown) =>
  typeof value === "boolean" ? (value ? "yes" : "no") : wordOf(String(value));

/** Whether a member may be the answer: it is no reason or certainty, by its name or as it is a sentence. */
const isNoAside = ([name, value]: readonly [string, unknown]) =>
  !/reason|expla|rationale|thought|evidence|comment|confiden|certain/i.test(name) &&
  String(value).trim().split(/\s+/).length <= 3;

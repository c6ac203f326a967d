import type { ChatReply, ChatToken } from "../../core/models.js";

/**
 * Where a thought aloud ends, in the spellings of the models that think: `</think>` (DeepSeek, Qwen, GLM),
 * `</thought>`, `</seed:think>`, `[/THINK]` (Mistral), `◁/think▷` (Kimi), `<|END_THINKING|>` (Cohere),
 * `<channel|>` (Gemma), `<unused95>` (MedGemma), `<|channel|>final<|message|>` (gpt-oss).
 */
const thoughtEnd =
  /<\/[\w:]*(?:think|thought|reason)\w*>|\[\/THINK\]|◁\/think▷|<\|(?:end_thinking|end_of_thought|inner_suffix)\|>|<channel\|>|<unused95>|<\|channel\|>final<\|message\|>/giu;
const thoughtBegin =
  /<[\w:]*(?:think|thought|reason)\w*>|\[THINK\]|◁think▷|<\|(?:start_thinking|begin_of_thought|inner_prefix)\|>|<\|channel>|<unused94>|<\|channel\|>(?!final)/iu;

/** What a text says apart from thought aloud; empty where the thought has no end. */
export function withoutThought(text: string): string {
  const said = text.split(thoughtEnd).at(-1) ?? "";
  return said.split(thoughtBegin, 1)[0] ?? "";
}

/** A longer text is no answer of a word. */
const longestAnswer = 20_000;

/** Marks that stand around an answer, whatever is said beside it. */
const boxed =
  /<\|begin_of_box\|>(.*?)<\|end_of_box\|>|<answer>(.*?)<\/answer>|\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}/gisu;

/**
 * The word that a reply says, in small letters: all of it, apart from thought aloud, white space,
 * punctuation, quotes and markup; or what it marks as its answer (`<answer>`, a box). Prose comes back
 * whole, so that no word of it is taken for the answer.
 *
 * @example saidWord("<think>Perhaps not.</think>**Yes.**") // "yes"
 * @example saidWord("No doubt: it is red, so yes.") // "no doubt: it is red, so yes"
 */
export function saidWord(text: string): string {
  const said = withoutThought(text);
  if (said.length > longestAnswer) return wordOf(said);
  const marked = [...said.matchAll(boxed)].map((match) => match.slice(1).find(Boolean) ?? "");
  const [only = "", ...others] = new Set(marked.map(plainWord));
  return only !== "" && others.length === 0 ? only : plainWord(said);
}

/** A text's word without tags, special tokens, fences, LaTeX's commands and the name of its one member. */
const plainWord = (text: string): string =>
  wordOf(
    text
      .replaceAll(/<[^<>\n]{1,60}>/g, " ")
      .replaceAll(/```\w*\n/g, " ")
      .replaceAll(/\\[a-z]+\s*(?=\{)/gi, " ")
      .replace(/^\s*\{\s*"[^"]*"\s*:([^:,{}[\]]*)\}[\s`]*$/, "$1"),
  );

/**
 * A token's word in small letters, without white space, tokenisers' marks for it, punctuation; a sign before a
 * number belongs to it.
 */
export function wordOf(token: string): string {
  const word = /(?:[-−<≤≥](?=\p{N}))?[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;
  const [found = ""] = word.exec(token.replace(/^[ĠĊ]+/, "")) ?? [];
  return found.toLowerCase();
}

/** What may stand before an answer: nothing, a mark (`</think>`, a box, a special token), a JSON member's name. */
const endsBeforeAnswer = /(?:^|[>\]▷]|\\boxed|"\s*:)[^\p{L}\p{N}>\]▷:]*$/u;

/**
 * The tokens that spell the word of a reply: its last ones that have a letter or a digit. Those of a
 * thought before it stand before a mark, or are the thought that came apart from the text.
 *
 * @param thought what the server tells apart as thought
 * @returns `undefined` where the reply is more than a word, or the tokens are those of another text.
 */
export function saidTokens(
  { text, tokens = [] }: Pick<ChatReply, "text" | "tokens">,
  thought = "",
): readonly ChatToken[] | undefined {
  const word = saidWord(text);
  const end = tokens.findLastIndex(({ token }) => hasWord(token)) + 1;
  let begin = end;
  let spelled = "";
  while (begin > 0 && spelled.length < word.length) {
    begin--;
    spelled = wordOf(tokens[begin]?.token ?? "") + spelled;
  }
  if (word === "" || spelled !== word) return undefined;
  const before = tokens
    .slice(0, begin)
    .map(({ token }) => token)
    .join("");
  const isBefore = endsBeforeAnswer.test(before) || lettersOf(before) === lettersOf(thought);
  return isBefore ? tokens.slice(begin, end) : undefined;
}

/** Special tokens (`<|im_end|>`, `</s>`) say nothing. */
const hasWord = (token: string) => !/^\s*<[^<>]*>\s*$/.test(token) && wordOf(token) !== "";

const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]|[ĠĊ]/gu, "");

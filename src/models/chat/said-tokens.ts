import type { ChatReply, ChatToken } from "../../core/models.js";
import { saidWord, wordOf } from "./said-text.js";

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

import type { Answer, Block, Item } from "../study-client.js";
import type { Words } from "../words/words.js";
import { levelsOf } from "./levels.js";

/** An answer as its button says it; empty where no button gives it. */
export function answerWords(
  answer: Answer,
  { block, item, words }: { readonly block: Block; readonly item: Item; readonly words: Words },
): string {
  const { protocol: name } = block;
  const { value, preferred, present } = answer;
  const named: Readonly<Record<string, string>> = {
    yes: words.yes,
    no: words.no,
    "cannot-tell": words.cannotTell,
    a: words.first,
    b: words.second,
    tie: item.tie === "undecided" ? words.undecided : words.tie,
    undecided: words.undecided,
  };
  switch (name) {
    case "rating":
    case "likert":
      return levelsOf(block, { name, words }).find((one) => one.value === value)?.label ?? "";
    case "rubric":
      if (present === null) return words.cannotTell;
      return present === true ? words.present : words.notPresent;
    default:
      return named[String(value ?? preferred)] ?? "";
  }
}

import { NoAnswer } from "../../core/unscored.js";
import { asRead } from "../as-read.js";
import type { Tensor } from "./graph-run.js";
import { instructionIds } from "./instruction-words.js";
import type { TextSettings } from "./weights.js";

/**
 * A text as a model's input: the ids of its words ([1, words]). There is no padding, since every
 * text is read alone: padded to the longest, questions would take twice as long.
 *
 * @throws NoAnswer "not-applicable" for a word the model never saw or a text that is too long;
 *   nothing is cut off.
 */
export function textTensor(text: string, { tokenizer, mostTokens }: TextSettings): Tensor {
  const ids = tokenizer.encode(asRead(text));
  if (ids.length === 0) throw new NoAnswer("not-applicable", "There is no word in the text");
  if (ids.length > mostTokens) {
    throw new NoAnswer(
      "not-applicable",
      `The lab's models read ${mostTokens} words and marks; this text has ${ids.length}`,
    );
  }
  return { type: "int64", data: BigInt64Array.from(ids, BigInt), dims: [1, ids.length] };
}

/** The words of an instruction as a model's input, [1, different words]. */
export function instructionTensor(text: string): Tensor {
  const ids = instructionIds(text);
  return { type: "int64", data: BigInt64Array.from(ids, BigInt), dims: [1, ids.length] };
}

import { Tensor } from "onnxruntime-web/wasm";
import { NoAnswer } from "../../core/unscored.js";
import type { TextSettings } from "./weights.js";

/**
 * A text as a model's input: the ids of its words, padded to the model's length ([1, length]).
 *
 * @throws NoAnswer "not-applicable" for a word the model never saw or a text that is too long;
 *   nothing is cut off.
 */
export function textTensor(text: string, { tokenizer, length, padding }: TextSettings): Tensor {
  const ids = tokenizer.encode(text);
  if (ids.length === 0) throw new NoAnswer("not-applicable", "There is no word in the text");
  if (ids.length > length) {
    throw new NoAnswer(
      "not-applicable",
      `The lab's models read ${length} words and marks; this text has ${ids.length}`,
    );
  }
  const padded = new BigInt64Array(length).fill(BigInt(padding));
  ids.forEach((id, index) => {
    padded[index] = BigInt(id);
  });
  return new Tensor("int64", padded, [1, length]);
}

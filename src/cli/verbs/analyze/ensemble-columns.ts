import { ensembleSplits } from "../../../analysis/ensemble/ensemble-rows.js";
import { oneOf, optionalAnswer, optionalText, text } from "../../../tables/columns.js";
import { isAnswerItem, isNumberItem, listColumn } from "../../../tables/list-column.js";

const isShare = (item: unknown): item is number => isNumberItem(item) && item >= 0;

/** The columns of `analyze ensemble`. */
export const ensembleColumns = {
  id: text,
  split: oneOf(ensembleSplits),
  label: optionalAnswer,
  probabilities: listColumn({
    isRequired: true,
    isItem: isAnswerItem,
    expected: "a list of numbers from 0 to 1, null for no answer, such as [0.8, null]",
  }),
  embedding: listColumn({
    isItem: isNumberItem,
    expected: "a list of numbers, such as [0.1, -0.3], or nothing",
  }),
  membership: listColumn({
    isItem: isShare,
    expected: "a list of numbers from 0 on, such as [0.9, 0.1], or nothing",
  }),
  prompt: optionalText,
};

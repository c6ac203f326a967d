import { answerSplits } from "../../../experiments/ensemble/answers.js";
import { optionalAnswer, optionalOneOf, optionalText, text } from "../../../tables/columns.js";
import { isAnswerItem, isNumberItem, listColumn } from "../../../tables/list-column.js";

/** The columns of a table of answers. */
export const answerColumns = {
  id: text,
  label: optionalAnswer,
  probabilities: listColumn({
    isRequired: true,
    mustBeFilled: true,
    isItem: isAnswerItem,
    expected: "a list of numbers from 0 to 1, null for no answer,",
  }),
  embedding: listColumn({ isItem: isNumberItem, expected: "a list of numbers or nothing" }),
  split: optionalOneOf(answerSplits),
  group: optionalText,
  prompt: optionalText,
  world: optionalText,
  degradation: optionalText,
  kind: optionalText,
};

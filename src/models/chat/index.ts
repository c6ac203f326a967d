export { answersQuestions } from "./answers-questions.js";
export { type ChoiceAnswer, type ChoiceWords, choose } from "./choice.js";
export { jsonAnswer } from "./json-answer.js";
export { type RatingAnswer, rating } from "./rating-answer.js";
export { type YesNoAnswer, type YesNoWay, yesNo } from "./yes-no.js";

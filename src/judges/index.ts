export {
  type AnswerKind,
  type Decision,
  type MeasuredCalibration,
  ratingAnswers,
  twoAnswers,
} from "./answer-kind.js";
export { type SelectiveOptions, selectiveRounds } from "./asking.js";
export type { Counted, FewerCallsMeasured } from "./calibrate-certify.js";
export {
  type FittedJudge,
  type FittingItems,
  type FittingOptions,
  fitJudge,
} from "./calibrate-fit.js";
export {
  type CalibratedJudge,
  type CalibratingOptions,
  type CertificationMethod,
  calibrateJudge,
  certificationMethods,
} from "./calibrate-judge.js";
export type { LabelSplit, SplittableItem } from "./calibrate-split.js";
export { composePrompts } from "./compose-prompts.js";
export type { ItemToJudge, PromptAnswer } from "./item-to-judge.js";
export {
  type JudgeArtefact,
  judgeHash,
  judgeVersion,
  openedJudge,
  sealedJudge,
} from "./judge-artefact.js";
export {
  type ImageJudge,
  type ImageToJudge,
  judgeImages,
  judgeRating,
  judgeYesNo,
  type RatingJudgment,
  type YesNoJudgment,
} from "./judge-images-step.js";
export { type JudgePairsOptions, judgePairs, type PairToJudge } from "./judge-pairs-step.js";
export { lintPromptPool, type PoolFinding, type PromptProblem } from "./lint-prompt-pool.js";
export {
  inBothOrders,
  type JudgingWay,
  judgePair,
  type PairJudgment,
  preferenceForA,
} from "./pairwise-judge.js";
export type { Prompt } from "./prompt.js";
export { type PromptKind, type PromptPool, promptKinds } from "./prompt-pool-schema.js";
export { type RatingDistribution, ratingDistribution } from "./rating-distribution.js";
export {
  loadPromptPool,
  type PoolPath,
  type PromptPoolFile,
  type PromptPoolName,
  promptPoolNames,
  readPromptPool,
} from "./read-prompt-pool.js";
export {
  type RefineTask,
  type RefineWording,
  refinePrompt,
  type SimilarityCheck,
} from "./refine-prompt.js";
export type { RefineRules } from "./refine-rules.js";
export type { AnsweredItem, RubricAnswer } from "./rubric-answer.js";
export { askRubric } from "./rubric-judge.js";
export type { RubricItem, RubricTask, RubricWording } from "./rubric-message.js";
export { samplePrompts } from "./sample-prompts.js";

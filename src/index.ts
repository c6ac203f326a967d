export {
  type ContrastiveConclusion,
  type ContrastiveOptions,
  type ContrastiveRow,
  contrastive,
} from "./analysis/contrastive.js";
export {
  type PlaceBias,
  type PositionBiasConclusion,
  positionBias,
} from "./analysis/position-bias.js";
export { type ScoreRow, type ScoreSummary, scoreSummary } from "./analysis/score-summary.js";
export { type SwapConclusion, type SwapOptions, type SwapRow, swap } from "./analysis/swap.js";
export {
  GateError,
  IncompleteError,
  InputError,
  TouchstoneError,
} from "./core/errors.js";
export type {
  Metric,
  MetricDescription,
  MetricFacts,
  MetricInput,
  MetricScore,
} from "./core/metric.js";
export type {
  CallOptions,
  ChatMessage,
  ChatModel,
  ChatPart,
  ChatReply,
  ChatRequest,
  ChatToken,
  Decomposer,
  DescribedEntity,
  ImageEmbedder,
  ImageGenerator,
  Localizer,
  Mask,
  Model,
  ModelIdentity,
  Picture,
  Pixels,
  TextEmbedder,
  TokenChoice,
  VisualQuestionAnswering,
} from "./core/models.js";
export { NoAnswer, type UnscoredReason, unscoredReasons } from "./core/unscored.js";
export { type LocalizationStrategy, localize } from "./images/localize.js";
export { openPicture } from "./images/picture.js";
export { openPictureFile } from "./images/picture-file.js";
export { composePrompts } from "./judges/compose-prompts.js";
export { lintPromptPool, type PromptProblem } from "./judges/lint-prompt-pool.js";
export { judgeRating, type RatingJudgment } from "./judges/ordinal-judge.js";
export {
  inBothOrders,
  type JudgingWay,
  judgePair,
  type PairJudgment,
  preferenceForA,
} from "./judges/pairwise-judge.js";
export type { Prompt } from "./judges/prompt.js";
export type { PromptKind, PromptPool } from "./judges/prompt-pool-schema.js";
export type { RatingDistribution } from "./judges/rating-distribution.js";
export { ratingEnsemble, ratingLikelihoods } from "./judges/rating-ensemble.js";
export {
  loadPromptPool,
  type PromptPoolFile,
  readPromptPool,
} from "./judges/read-prompt-pool.js";
export { samplePrompts } from "./judges/sample-prompts.js";
export { judgeYesNo, type YesNoJudgment } from "./judges/yes-no-judge.js";
export { type LabModelName, type LabModels, labModel } from "./lab/models/lab-model.js";
export { labPainter } from "./lab/painter/painter.js";
export { type BlipVqaConvention, blipVqa } from "./metrics/blip-vqa.js";
export { type ClipConvention, clipScore } from "./metrics/clip-score.js";
export { type HpsConvention, hps } from "./metrics/hps.js";
export { imageReward } from "./metrics/image-reward.js";
export type { LeakagePairing } from "./metrics/localized-convention.js";
export { localizedVqaScore } from "./metrics/localized-vqa-score.js";
export { type MllmConvention, mllmRating } from "./metrics/mllm-rating.js";
export { pickScore } from "./metrics/pick-score.js";
export { score } from "./metrics/score.js";
export type { Scored, ScoreResult, Unscored } from "./metrics/score-picture.js";
export { vqaRating } from "./metrics/vqa-rating.js";
export { vqaScore } from "./metrics/vqa-score.js";
export { cachedChat } from "./models/cache/cached-chat.js";
export { ReplyStore } from "./models/cache/reply-store.js";
export { answersQuestions } from "./models/chat/answers-questions.js";
export { type ChoiceAnswer, type ChoiceWords, choose } from "./models/chat/choice.js";
export { jsonAnswer } from "./models/chat/json-answer.js";
export { type RatingAnswer, rating } from "./models/chat/rating.js";
export { type YesNoAnswer, type YesNoWay, yesNo } from "./models/chat/yes-no.js";
export { chatDecomposer } from "./models/decomposer/chat-decomposer.js";
export { ruleDecomposer } from "./models/decomposer/rule-decomposer.js";
export { fal } from "./models/fal/fal.js";
export { folderGenerator } from "./models/folder/folder-generator.js";
export { ImageIndex } from "./models/folder/image-index.js";
export type { HostedGeneratorOptions } from "./models/image-generation/hosted-generator.js";
export {
  type OpenAiClientOptions,
  type OpenAiCompatibleOptions,
  openAiClient,
  openAiCompatible,
} from "./models/openai-compatible/openai-compatible.js";
export { type OpenAiImagesOptions, openAiImages } from "./models/openai-images/openai-images.js";
export {
  type BackendName,
  type PythonBridgeOptions,
  pythonBridge,
} from "./models/python-bridge/python-bridge.js";
export { recordedGenerator, recordedModel } from "./models/recorded/recorded.js";
export { type ReplicateOptions, replicate } from "./models/replicate/replicate.js";
export {
  type LocalizerOptions,
  transformersJsLocalizer,
} from "./models/transformers-js/localizer.js";
export { transformersJsSiglip } from "./models/transformers-js/siglip.js";
export {
  type TransformersJsOptions,
  transformersJs,
} from "./models/transformers-js/transformers-js.js";
export { transformersJsChat } from "./models/transformers-js/vision-chat.js";
export type { Estimate } from "./stats/estimate.js";

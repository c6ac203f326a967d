export {
  type PlaceBias,
  type PositionBiasConclusion,
  positionBias,
} from "./analysis/calibration/position-bias.js";
export {
  type ContrastiveConclusion,
  type ContrastiveOptions,
  type ContrastiveRow,
  contrastive,
} from "./analysis/pairs/contrastive.js";
export { type ScoreRow, type ScoreSummary, scoreSummary } from "./analysis/pairs/score-summary.js";
export {
  type SwapConclusion,
  type SwapOptions,
  type SwapRow,
  swap,
} from "./analysis/pairs/swap.js";
export { auditSteps } from "./benchmarks/stereotypes/audit-steps.js";
export { loadJudgeWording } from "./benchmarks/stereotypes/judge-wording.js";
export { loadQueries, type Query, queryText } from "./benchmarks/stereotypes/queries.js";
export { loadRubrics, type Rubric } from "./benchmarks/stereotypes/rubrics.js";
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
  Box,
  CallOptions,
  ChatMessage,
  ChatModel,
  ChatPart,
  ChatReply,
  ChatRequest,
  ChatToken,
  Decomposer,
  DescribedEntity,
  Detector,
  DualEncoder,
  ImageEmbedder,
  ImageGenerator,
  Localizer,
  Mask,
  Model,
  ModelIdentity,
  Picture,
  Pixels,
  RewardModel,
  TextEmbedder,
  TokenChoice,
  VisualQuestionAnswering,
} from "./core/models.js";
export { type Random, randomFrom } from "./core/random.js";
export { NoAnswer, type UnscoredReason, unscoredReasons } from "./core/unscored.js";
export { chooseWeights, type WeightChoice } from "./ensembles/choose-weights.js";
export { type EnsembleInput, ensemblePrediction } from "./ensembles/ensemble-prediction.js";
export { type LabelLikelihoods, labelLikelihoods } from "./ensembles/label-likelihoods.js";
export { softMembership } from "./ensembles/membership.js";
export { type PromptWeights, promptWeights } from "./ensembles/prompt-weights.js";
export {
  type Assurance,
  type Certified,
  type CheckedDecision,
  certify,
  countsAtThresholds,
  type NotCertified,
} from "./ensembles/selective-certificate.js";
export { type TriedThreshold, triedThresholds } from "./ensembles/selective-thresholds.js";
export { type Clustering, sphericalKMeans } from "./ensembles/spherical-k-means.js";
export { type Objective, objectives, type WeightProblem } from "./ensembles/weight-problem.js";
export { type LocalizationStrategy, localize } from "./images/localize.js";
export { openPicture } from "./images/picture.js";
export { openPictureFile } from "./images/picture-file.js";
export type { Thumbnail } from "./images/thumbnail.js";
export { type AnswerKind, ratingAnswers, twoAnswers } from "./judges/answer-kind.js";
export { type CalibratedJudge, calibrateJudge } from "./judges/calibrate-judge.js";
export { composePrompts } from "./judges/compose-prompts.js";
export { type JudgeArtefact, openedJudge, sealedJudge } from "./judges/judge-artefact.js";
export {
  judgeRating,
  judgeYesNo,
  type RatingJudgment,
  type YesNoJudgment,
} from "./judges/judge-images-step.js";
export { lintPromptPool, type PromptProblem } from "./judges/lint-prompt-pool.js";
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
export {
  loadPromptPool,
  type PromptPoolFile,
  readPromptPool,
} from "./judges/read-prompt-pool.js";
export type { RubricAnswer } from "./judges/rubric-answer.js";
export { askRubric } from "./judges/rubric-judge.js";
export type { RubricTask, RubricWording } from "./judges/rubric-message.js";
export { samplePrompts } from "./judges/sample-prompts.js";
export { type LabModelName, type LabModels, labModel } from "./lab/models/lab-model.js";
export { labPainter } from "./lab/painter/lab-painter.js";
export { type BlipVqaConvention, blipVqa } from "./metrics/blip-vqa.js";
export type { RatingConvention, RatingWording } from "./metrics/chat-rating.js";
export { type ClipConvention, clipScore } from "./metrics/clip-score.js";
export { type HpsConvention, hps } from "./metrics/hps.js";
export { imageReward } from "./metrics/image-reward.js";
export type { LeakagePairing } from "./metrics/localized-convention.js";
export { localizedVqaScore } from "./metrics/localized-vqa-score.js";
export { LookMemory } from "./metrics/look-at-entity.js";
export { type MllmConvention, mllmRating } from "./metrics/mllm-rating.js";
export { pickScore } from "./metrics/pick-score.js";
export { promptRating } from "./metrics/prompt-rating.js";
export { type ProtoScoreConvention, protoScore } from "./metrics/proto-score.js";
export { score } from "./metrics/score.js";
export type { Scored, ScoreResult, Structured, Unscored } from "./metrics/score-picture.js";
export { vqaRating } from "./metrics/vqa-rating.js";
export { vqaScore } from "./metrics/vqa-score.js";
export { cachedChat } from "./models/cache/cached-chat.js";
export { ReplyStore } from "./models/cache/reply-store.js";
export type { AnswerWay } from "./models/chat/answer-shares.js";
export { answersQuestions } from "./models/chat/answers-questions.js";
export { type ChoiceAnswer, type ChoiceWords, choose } from "./models/chat/choice.js";
export { jsonAnswer } from "./models/chat/json-answer.js";
export { type RatingAnswer, rating } from "./models/chat/rating-answer.js";
export { type YesNoAnswer, type YesNoWay, yesNo } from "./models/chat/yes-no.js";
export { chatDecomposer } from "./models/decomposer/chat-decomposer.js";
export { ruleDecomposer } from "./models/decomposer/rule-decomposer.js";
export { fal } from "./models/fal/fal.js";
export { folderGenerator, ImageIndex, type Wanted } from "./models/folder/folder-generator.js";
export type { CallFailure, FailureKind } from "./models/http/call-failure.js";
export type { Limits } from "./models/http/call-limits.js";
export type { Clock } from "./models/http/clock.js";
export type { TimeOuts } from "./models/http/exchange.js";
export type { FinalRefusal } from "./models/http/final-refusal.js";
export type {
  JsonAnswer,
  JsonCall,
  JsonClient,
  JsonClientOptions,
  KnownCall,
} from "./models/http/json-client.js";
export type { KeyedClientOptions } from "./models/http/keyed-client.js";
export type { Secret } from "./models/http/secrets.js";
export type { HostedGeneratorOptions } from "./models/image-generation/hosted-generator.js";
export { type GivenLocalizer, givenMasks } from "./models/masks/masks.js";
export {
  type OpenAiClientOptions,
  type OpenAiCompatible,
  type OpenAiCompatibleOptions,
  openAiClient,
  openAiCompatible,
} from "./models/openai-compatible/openai-compatible.js";
export {
  type OpenAiEmbeddings,
  type OpenAiEmbeddingsOptions,
  openAiEmbeddings,
} from "./models/openai-embeddings/openai-embeddings.js";
export { type OpenAiImagesOptions, openAiImages } from "./models/openai-images/openai-images.js";
export type {
  CallMeter,
  CountedCalls,
  EmbeddingRequest,
  Pricing,
} from "./models/prices/call-meter.js";
export type { Price } from "./models/prices/token-prices.js";
export type { BridgeCommand } from "./models/python-bridge/bridge-process.js";
export {
  type BackendName,
  type Bridged,
  type PythonBridgeOptions,
  pythonBridge,
} from "./models/python-bridge/python-bridge.js";
export { recordedGenerator, recordedModel } from "./models/recorded/recorded.js";
export { type ReplicateOptions, replicate } from "./models/replicate/replicate.js";
export { type SegmentHttpOptions, segmentHttp } from "./models/segment-http/segment-http.js";
export {
  type EncoderOptions,
  type TransformersJsOptions,
  transformersJs,
  transformersJsSiglip,
} from "./models/transformers-js/dual-encoder.js";
export type { Loadable } from "./models/transformers-js/loading.js";
export {
  type LocalizerOptions,
  transformersJsLocalizer,
} from "./models/transformers-js/localizer.js";
export { transformersJsChat } from "./models/transformers-js/vision-chat.js";
export type { Estimate } from "./stats/estimate.js";
export { type CorrectedShare, type JudgedCounts, roganGladen } from "./stats/rogan-gladen.js";

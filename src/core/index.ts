export { refineModes } from "./audit-records.js";
export { GateError, IncompleteError, InputError, TouchstoneError } from "./errors.js";
export { canonicalJson, type Json, type JsonObject } from "./json.js";
export { type ChatTask, type JudgingTask, judgingTasks } from "./judging-task.js";
export { type Hash, hashOf, type Key, keyOf } from "./keys.js";
export {
  factsOfModels,
  type Metric,
  type MetricDescription,
  type MetricFacts,
  type MetricInput,
  type MetricScore,
  metricFacts,
  modelsBehind,
  modelsOf,
} from "./metric.js";
export {
  type Box,
  type CallOptions,
  type ChatMessage,
  type ChatModel,
  type ChatPart,
  type ChatReply,
  type ChatRequest,
  type ChatToken,
  type Decomposer,
  type DescribedEntity,
  type Detector,
  type DualEncoder,
  type GeneratedImage,
  type GenerationRequest,
  type ImageEmbedder,
  type ImageGenerator,
  type Localizer,
  type Mask,
  type Model,
  type ModelFacts,
  type ModelIdentity,
  modelFacts,
  modelName,
  type Picture,
  type Pixels,
  type Placed,
  placed,
  placedName,
  type RewardModel,
  type TextEmbedder,
  type TokenChoice,
  type VisualQuestionAnswering,
  withoutCredentials,
} from "./models.js";
export { type Random, randomFrom } from "./random.js";
export type { DescribedStep, NewRun, Recipe, RecipeStep } from "./recipe.js";
export { recordSchemaVersion } from "./record-schema.js";
export type {
  BlobStore,
  DocumentStore,
  EndingCount,
  FollowedRecord,
  KeyState,
  RecordFollower,
  RecordPosition,
  RecordStore,
  RunWriter,
  StepState,
  StepWriter,
  StoreCheck,
  StoredEntry,
  TruthStore,
  Worker,
} from "./record-store.js";
export {
  type About,
  type AnyRecord,
  aboutOf,
  anyRecord,
  type DoneRecord,
  type ImageRole,
  imageRoles,
  type Outcome,
  pairSides,
  promptSplits,
  type RecordOf,
  type RecordType,
} from "./records.js";
export {
  type AnyStep,
  type Forecast,
  type Records,
  type RunEvent,
  type Step,
  type StepContext,
  stepId,
} from "./step.js";
export { NoAnswer, type UnscoredReason, unscoredReasons } from "./unscored.js";

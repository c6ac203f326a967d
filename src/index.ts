export {
  GateError,
  IncompleteError,
  InputError,
  TouchstoneError,
} from "./core/errors.js";
export type { Metric, MetricInput, MetricScore } from "./core/metric.js";
export type {
  CallOptions,
  ChatModel,
  Decomposer,
  DescribedEntity,
  DualEncoder,
  ImageEmbedder,
  ImageGenerator,
  Localizer,
  Mask,
  Model,
  Picture,
  Pixels,
  RewardModel,
  TextEmbedder,
  VisualQuestionAnswering,
} from "./core/models.js";
export { NoAnswer, type UnscoredReason } from "./core/unscored.js";
export { readTable } from "./files/read-table.js";
export { openPicture } from "./images/picture.js";
export { openPictureFile } from "./images/picture-file.js";
export { blipVqa } from "./metrics/blip-vqa.js";
export { mllmRating, promptRating } from "./metrics/chat-rating.js";
export { clipScore } from "./metrics/clip-score.js";
export { hps } from "./metrics/hps.js";
export { imageReward } from "./metrics/image-reward.js";
export { localizedVqaScore } from "./metrics/localized-vqa-score.js";
export { pickScore } from "./metrics/pick-score.js";
export { protoScore } from "./metrics/proto-score.js";
export { score } from "./metrics/score.js";
export type { ScoreResult } from "./metrics/score-picture.js";
export { vqaRating, vqaScore } from "./metrics/vqa-score.js";
export { cachedChat } from "./models/cache/cached-chat.js";
export { cachedEmbedder } from "./models/cache/cached-embedder.js";
export { ReplyStore } from "./models/cache/reply-store.js";
export { answersQuestions } from "./models/chat/answers-questions.js";
export { chatDecomposer } from "./models/decomposer/chat-decomposer.js";
export { ruleDecomposer } from "./models/decomposer/rule-decomposer.js";
export { folderGenerator, ImageIndex } from "./models/folder/folder-generator.js";
export { fal } from "./models/image-services/fal.js";
export { replicate } from "./models/image-services/replicate.js";
export { givenMasks } from "./models/masks/masks.js";
export { openAiCompatible } from "./models/openai-compatible/openai-compatible.js";
export { openAiEmbeddings } from "./models/openai-embeddings/openai-embeddings.js";
export { openAiImages } from "./models/openai-images/openai-images.js";
export { pythonBridge } from "./models/python-bridge/python-bridge.js";
export { recordedGenerator, recordedModel } from "./models/recorded/recorded.js";
export { segmentHttp } from "./models/segment-http/segment-http.js";
export { transformersJs, transformersJsSiglip } from "./models/transformers-js/dual-encoder.js";
export { transformersJsLocalizer } from "./models/transformers-js/localizer.js";
export { transformersJsChat } from "./models/transformers-js/vision-chat.js";

export { buildPrompts } from "./build-prompts.js";
export { paintImages } from "./paint-images.js";
export type { BenchmarkSize } from "./plan-prompts.js";
export { loadPublished } from "./published.js";
export { checkTruth, rateImages, scoreImages, type TruthCheck } from "./score-images.js";

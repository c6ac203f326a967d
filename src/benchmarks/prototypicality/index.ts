export { type BuildPromptsOptions, buildPrompts, defaultShares } from "./build-prompts.js";
export { type PaintImagesOptions, paintImages, textOfRole } from "./paint-images.js";
export type { BenchmarkSize, CanDraw } from "./plan-prompts.js";
export { loadPublished, type Published } from "./published.js";
export { type BrokenRule, brokenRules, type TripletRule, tripletRules } from "./rules.js";
export type { Split, SplitShares } from "./scenes.js";
export {
  checkTruth,
  rateImages,
  scoreImages,
  scoreStep,
  type TextOf,
  type TruthCheck,
} from "./score-images.js";
export {
  type Attribute,
  type Domain,
  domains,
  type Knob,
  knobs,
  loadTaxonomy,
  type Member,
  type Pair,
  pairsOf,
  type Taxonomy,
} from "./taxonomy.js";
export { templateWriter } from "./template-writer.js";
export { loadTemplates, type Templates } from "./templates.js";
export type { Triplet, TripletRequest, TripletWriter } from "./triplet.js";

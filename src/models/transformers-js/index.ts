export {
  type TransformersJsOptions,
  transformersJs,
  transformersJsSiglip,
} from "./dual-encoder.js";
export { type LocalizerOptions, transformersJsLocalizer } from "./localizer.js";
export { transformersJsChat } from "./vision-chat.js";

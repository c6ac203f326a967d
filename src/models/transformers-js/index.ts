export { type LocalizerOptions, transformersJsLocalizer } from "./localizer.js";
export { transformersJsSiglip } from "./siglip.js";
export { type TransformersJsOptions, transformersJs } from "./transformers-js.js";
export { transformersJsChat } from "./vision-chat.js";

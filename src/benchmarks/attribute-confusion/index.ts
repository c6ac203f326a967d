export { buildDescriptions } from "./build-descriptions.js";
export { type DescriptionSet, descriptionSets } from "./descriptions.js";
export { paintDescriptions } from "./paint-descriptions.js";
export { loadPublishedConfusion, type PublishedConfusion } from "./published.js";
export { type AttributeCheck, checkAttributes, scoreDescriptions } from "./score-descriptions.js";

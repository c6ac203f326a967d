export { folderGenerator } from "./folder-generator.js";
export { ImageIndex } from "./image-index.js";

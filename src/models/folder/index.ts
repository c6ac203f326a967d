export { folderGenerator, ImageIndex } from "./folder-generator.js";

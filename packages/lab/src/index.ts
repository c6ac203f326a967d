export { labWorld } from "./lab-world.js";
export { labModel, labModelNames } from "./models/lab-model.js";
export { labPainter } from "./painter/lab-painter.js";
export { painterNames } from "./painter/painters.js";

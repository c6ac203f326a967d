/**
 * The lab of the package `touchstone-t2i-lab`: its world, models and painters.
 *
 * @module touchstone-t2i-lab
 */

export { labWorld } from "./lab-world.js";
export { labModel, labModelNames } from "./models/lab-model.js";
export { labPainter } from "./painter/lab-painter.js";
export { painterNames } from "./painter/painters.js";

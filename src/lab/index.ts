export { labWorld } from "./lab-world.js";
export { type LabModelName, type LabModels, labModel, labModelNames } from "./models/lab-model.js";
export { type DefectRates, noDefects } from "./painter/defect-rates.js";
export { labPainter } from "./painter/lab-painter.js";
export { confusingPainterNames, painterNames, skewedPainterNames } from "./painter/painters.js";

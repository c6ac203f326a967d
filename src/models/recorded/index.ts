export { recordedGenerator, recordedModel } from "./recorded.js";

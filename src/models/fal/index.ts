export { fal } from "./fal.js";

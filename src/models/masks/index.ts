export { givenMasks } from "./masks.js";

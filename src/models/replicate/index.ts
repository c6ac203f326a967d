export { type ReplicateOptions, replicate } from "./replicate.js";

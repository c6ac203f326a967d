export { chatDecomposer } from "./chat-decomposer.js";
export { ruleDecomposer } from "./rule-decomposer.js";

export * from "../analysis/index.js";
export { guessTable, type TableGuess } from "./guess-table.js";

import { searchTexts } from "../search-text.js";

/** Which rows of a file of scores are shown, and in which order; all of it stands in the address. */
export interface ScoresSearch {
  readonly metric?: string;
  readonly reason?: string;
  readonly text?: string;
  readonly order?: "best";
}

export const scoresSearch = (given: Readonly<Record<string, unknown>>): ScoresSearch => ({
  ...searchTexts(given, ["metric", "reason", "text"]),
  ...(given.order === "best" ? { order: "best" } : {}),
});

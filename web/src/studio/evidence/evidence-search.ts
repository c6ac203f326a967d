import { searchTexts } from "../search-text.js";

/** What people were asked, or one metric on every set. */
export interface EvidenceSearch {
  readonly for?: string;
  readonly metric?: string;
}

export const evidenceSearch = (given: Readonly<Record<string, unknown>>): EvidenceSearch =>
  searchTexts(given, ["for", "metric"]);

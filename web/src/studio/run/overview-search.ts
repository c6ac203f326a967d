import { type Facet, facets } from "../../../../src/views/view.js";
import { searchTexts } from "../search-text.js";

/** Which rows of a run's tables are shown; every choice stands in the address. */
export type OverviewSearch = Readonly<Partial<Record<Facet, string>>>;

/** Takes from an address what a run's page understands, and nothing else. */
export const overviewSearch = (given: Readonly<Record<string, unknown>>): OverviewSearch =>
  searchTexts(given, facets);

import {
  type OverviewFacet,
  overviewFacets,
} from "../../../../src/report/overviews/run-overview.js";

/** Which rows of a run's tables are shown; every choice stands in the address. */
export type OverviewSearch = Readonly<Partial<Record<OverviewFacet, string>>>;

/** Takes from an address what a run's page understands, and nothing else. */
export const overviewSearch = (given: Readonly<Record<string, unknown>>): OverviewSearch =>
  Object.fromEntries(
    overviewFacets.flatMap((facet) => {
      const value = given[facet];
      return typeof value === "string" && value !== "" ? [[facet, value]] : [];
    }),
  );

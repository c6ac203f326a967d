import type { Figure } from "../../views/figures/figure.js";

/** Facets by which the rows of an overview can be chosen, in the order in which a page offers them. */
export const overviewFacets = [
  "domain",
  "errorType",
  "category",
  "metric",
  "model",
  "generator",
] as const;
export type OverviewFacet = (typeof overviewFacets)[number];

/** Part of a report on a run's own page: the figure that shows the verdict, and tables to choose rows from. */
export interface RunOverview {
  readonly figure: Figure;
  readonly tables: readonly OverviewTable[];
}

export interface OverviewTable {
  readonly title: string;
  readonly columns: readonly OverviewColumn[];
  readonly rows: readonly OverviewRow[];
  /** How to read it. */
  readonly note: string;
}

export interface OverviewColumn {
  readonly title: string;
  /** Neighbours with the same group share a heading above theirs. */
  readonly group?: string;
  readonly align?: "right";
}

export interface OverviewRow {
  /** The subject of the row. */
  readonly facets: Readonly<Partial<Record<OverviewFacet, string>>>;
  /** As the report prints them. */
  readonly cells: readonly string[];
}

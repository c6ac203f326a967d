import type { Figure } from "../plots/figure.js";

/** What the rows of an overview can be chosen by, in the order in which a page offers them. */
export const overviewFacets = [
  "domain",
  "errorType",
  "category",
  "metric",
  "model",
  "generator",
] as const;
export type OverviewFacet = (typeof overviewFacets)[number];

/** What a run's own page shows of its report: the figure that shows the verdict, and tables to choose rows from. */
export interface RunOverview {
  readonly figure: Figure;
  readonly tables: readonly OverviewTable[];
}

export interface OverviewTable {
  readonly title: string;
  readonly columns: readonly OverviewColumn[];
  readonly rows: readonly OverviewRow[];
  /** What a reader must know to read it. */
  readonly note: string;
}

export interface OverviewColumn {
  readonly title: string;
  /** Neighbours with the same group share a heading above theirs. */
  readonly group?: string;
  readonly align?: "right";
}

export interface OverviewRow {
  /** What the row is about. */
  readonly facets: Readonly<Partial<Record<OverviewFacet, string>>>;
  /** As the report prints them. */
  readonly cells: readonly string[];
}

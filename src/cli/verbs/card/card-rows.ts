import type { TrustCard } from "../../../analysis/trust-card/trust-card.js";
import type { CellTable } from "../../../tables/cell-table.js";

/**
 * A row for each figure of each card and each further number of it, unrounded. atLeast and atMost are
 * the one-sided bounds of a share of none or all, whose resamples have no spread.
 */
export function cardRows(cards: readonly TrustCard[]): CellTable {
  const rows = cards.flatMap(({ subject, figures }) =>
    Object.values(figures).flatMap(({ id, status, n, unscored, estimate, further }) => {
      const row = (name: string, of = estimate) => [
        ...[subject.name, id, name, status, n, unscored],
        ...[of?.value ?? null, of?.low ?? null, of?.high ?? null],
        ...[of?.oneSided?.low ?? null, of?.oneSided?.high ?? null],
      ];
      return [
        row(estimate?.name ?? ""),
        ...Object.values(further).map((each) => row(each.name, each)),
      ];
    }),
  );
  const columns = [
    "metric",
    "figure",
    "statistic",
    "status",
    "n",
    "unscored",
    "value",
    "low",
    "high",
    "atLeast",
    "atMost",
  ];
  return { columns, rows };
}

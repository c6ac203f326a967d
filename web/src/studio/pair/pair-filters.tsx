import type { RunDetail } from "../../../../src/studio/api.js";
import { columnName } from "../../../../src/studio/column-name.js";
import { countText } from "../../shell/numbers.js";
import { keptChoices, type PairSearch } from "./pair-page.js";

/**
 * Which pairs are gone through: those that the run's filter kept, that a metric gets wrong or gets right,
 * the clearest first.
 */
export function PairFilters({
  detail,
  search,
  onSearch,
}: {
  readonly detail: RunDetail;
  readonly search: PairSearch;
  readonly onSearch: (search: PairSearch) => void;
}) {
  const { metric, failed, sort, order, at, ...rest } = search;
  const columns = detail.columns.filter(({ hasMargin }) => hasMargin);
  const { filter, pairs } = detail;
  if (columns.length === 0 && filter === undefined) return null;
  const set = (change: { metric?: string; failed?: string }) => {
    const chosen = change.metric ?? metric ?? "";
    const wanted = change.failed ?? failed ?? "";
    onSearch({
      ...rest,
      ...(chosen === "" ? {} : { metric: chosen, sort: "margin" as const }),
      ...(wanted === "yes" || wanted === "no" ? { failed: wanted } : {}),
      ...(wanted === "no" && chosen !== "" ? { order: "down" as const } : {}),
    });
  };
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      {filter !== undefined && (
        <label>
          Filter
          <select
            value={search.kept ?? (filter.kept === 0 ? "all" : "")}
            onChange={({ target }) => {
              const { kept, at, ...others } = search;
              const chosen = keptChoices.find((one) => one === target.value);
              onSearch(chosen === undefined ? others : { ...others, kept: chosen });
            }}
          >
            {filter.kept > 0 && <option value="">kept ({countText(filter.kept)})</option>}
            <option value="no">left out ({countText(pairs - filter.kept)})</option>
            <option value="all">all ({countText(pairs)})</option>
          </select>
        </label>
      )}
      {columns.length > 0 && (
        <>
          <label>
            Metric
            <select value={metric ?? ""} onChange={(event) => set({ metric: event.target.value })}>
              <option value="">any, in the order of the plan</option>
              {columns.map((one) => (
                <option key={one.id} value={one.id}>
                  {columnName(one, detail.columns)}, clearest first
                </option>
              ))}
            </select>
          </label>
          <label>
            Verdict
            <select value={failed ?? ""} onChange={(event) => set({ failed: event.target.value })}>
              <option value="">right and wrong</option>
              <option value="yes">✕ wrong</option>
              <option value="no">✓ right</option>
            </select>
          </label>
        </>
      )}
    </form>
  );
}

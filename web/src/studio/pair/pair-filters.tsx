import type { RunDetail } from "../../../../src/studio/api.js";
import { columnName } from "../../../../src/studio/column-name.js";
import { Choice } from "../../shell/choice.js";
import { countText } from "../../shell/numbers.js";
import { Verdict } from "../gallery/filters.js";
import type { Searched } from "../search-text.js";
import { keptChoices, type PairSearch } from "./pair-page.js";

/**
 * Which pairs are gone through: those that the run's filter kept, that a metric gets wrong or gets right,
 * the clearest first.
 */
export function PairFilters({
  detail,
  search,
  onSearch,
}: Searched<PairSearch> & { readonly detail: RunDetail }) {
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
        <Choice
          name="Filter"
          of={[
            ...(filter.kept > 0 ? [["", `kept (${countText(filter.kept)})`] as const] : []),
            ["no", `left out (${countText(pairs - filter.kept)})`],
            ["all", `all (${countText(pairs)})`],
          ]}
          value={search.kept ?? (filter.kept === 0 ? "all" : "")}
          onValue={(value) => {
            const { kept, at, ...others } = search;
            const chosen = keptChoices.find((one) => one === value);
            onSearch(chosen === undefined ? others : { ...others, kept: chosen });
          }}
        />
      )}
      {columns.length > 0 && (
        <>
          <Choice
            name="Metric"
            of={columns.map((one) => [
              one.id,
              `${columnName(one, detail.columns)}, clearest first`,
            ])}
            value={metric}
            any="any, in the order of the plan"
            onValue={(chosen) => set({ metric: chosen })}
          />
          <Verdict value={failed} onValue={(chosen) => set({ failed: chosen })} />
        </>
      )}
    </form>
  );
}

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import type { AuditDetail, SetSorting } from "../../../../src/studio/audits/audit-api.js";
import { useKeys } from "../../shell/keys.js";
import { Empty, Failure, Loading } from "../../shell/notices.js";
import { pluralText } from "../../shell/numbers.js";
import { RunFrame } from "../run/run-frame.js";
import { auditQuery, setQuery } from "./audit-queries.js";
import { SetPhase } from "./set-phase.js";
import type { SetSearch } from "./set-search.js";

/** One set of images before and after refinement, with the judge's reasons on each image. */
export function SetsPage({
  run,
  search,
  onSearch,
}: {
  readonly run: string;
  readonly search: SetSearch;
  readonly onSearch: (search: SetSearch, isPassing?: boolean) => void;
}) {
  const { at = 0 } = search;
  const navigate = useNavigate();
  const audit = useQuery(auditQuery(run));
  const { data, error, refetch } = useQuery(setQuery(run, search));
  const total = data?.total ?? 0;
  const go = (to: number) => {
    if (to >= 0 && to < total) onSearch({ ...search, at: to }, true);
  };
  // An address may come from a longer list.
  useEffect(() => {
    if (total > 0 && at >= total) go(total - 1);
  });
  useKeys([
    { key: "ArrowLeft", does: "the set before", run: () => go(at - 1) },
    { key: "ArrowRight", does: "the next set", run: () => go(at + 1) },
    {
      key: "u",
      does: "up: the audit",
      run: () => void navigate({ to: "/runs/$run/audit", params: { run } }),
    },
  ]);
  const [set] = data?.sets ?? [];
  return (
    <RunFrame
      run={run}
      title="Sets"
      heading={set === undefined ? "Sets of images" : `“${set.query}”`}
      crumbs={[
        <Link key="audit" to="/runs/$run/audit" params={{ run }}>
          Audit
        </Link>,
      ]}
    >
      {audit.data !== undefined && (
        <SetFilters audit={audit.data} search={search} onSearch={onSearch} />
      )}
      <p className="steps">
        <button type="button" onClick={() => go(at - 1)} disabled={at === 0}>
          ← Previous
        </button>
        <button type="button" onClick={() => go(at + 1)} disabled={at + 1 >= total}>
          Next →
        </button>
        <span className="quiet" role="status">
          {data !== undefined && total > 0 && `${at + 1} of ${pluralText(total, "set")}`}
          {set !== undefined && ` · ${set.category}, by ${set.generator}`}
        </span>
      </p>
      {error !== null && <Failure error={error} retry={() => refetch()} />}
      {data === undefined && error === null && <Loading what="the set" />}
      {data !== undefined && set === undefined && (
        <Empty title="No set fits">
          <button type="button" onClick={() => onSearch({})}>
            Take all filters away
          </button>
        </Empty>
      )}
      {set !== undefined && (
        <div className="audited-set">
          <SetPhase run={run} name="Before" phase={set.initial} />
          {set.refined === null ? (
            <section aria-label="After">
              <h2>After</h2>
              <p className="quiet">
                Not judged again: nothing was rewritten, or its refined images are still missing.
              </p>
            </section>
          ) : (
            <SetPhase run={run} name="After" phase={set.refined} />
          )}
        </div>
      )}
    </RunFrame>
  );
}

const sortings: readonly (readonly [SetSorting, string])[] = [
  ["plan", "in the order of the plan"],
  ["before", "most stereotyped before"],
  ["rise", "got worse by most"],
  ["fall", "got better by most"],
];

/** Which sets are gone through, and in which order. */
function SetFilters({
  audit: { items, generators },
  search,
  onSearch,
}: {
  readonly audit: AuditDetail;
  readonly search: SetSearch;
  readonly onSearch: (search: SetSearch) => void;
}) {
  const { at, ...rest } = search;
  const categories = [...new Set(items.map(({ category }) => category))];
  const flagged = items.flatMap(({ category, item }) =>
    search.category === undefined || search.category === category ? [item] : [],
  );
  const set = (name: "category" | "generator" | "item" | "sort", value: string) => {
    const { [name]: _, ...others } = rest;
    onSearch(value === "" ? others : { ...others, [name]: value });
  };
  const choice = (
    name: "category" | "generator" | "item",
    label: string,
    values: readonly string[],
  ) => (
    <label>
      {label}
      <select value={search[name] ?? ""} onChange={({ target }) => set(name, target.value)}>
        <option value="">all</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {name === "item" ? value.replaceAll("-", " ") : value}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      {choice("category", "Category", categories)}
      {choice("generator", "Generator", generators)}
      {choice("item", "Flagged item", [...new Set(flagged)].sort())}
      <label>
        Order
        <select
          value={search.sort ?? "plan"}
          onChange={({ target }) => set("sort", target.value === "plan" ? "" : target.value)}
        >
          {sortings.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AuditDetail, SetSorting } from "../../../../src/studio/audits/audit-api.js";
import { Choice } from "../../shell/choice.js";
import { Awaited, NoneFits } from "../../shell/notices.js";
import { RunFrame } from "../run/run-frame.js";
import { type Searched, withoutEmpty } from "../search-text.js";
import { StepBar, useSteps } from "../steps.js";
import { useUp } from "../use-up.js";
import { auditQuery, setQuery } from "./audit-queries.js";
import { SetPhase } from "./set-phase.js";
import { type SetSearch, setSearch } from "./set-search.js";

/** One set of images before and after refinement, with the judge's reasons on each image. */
export function SetsPage({
  run,
  search,
  onSearch,
}: Searched<SetSearch> & { readonly run: string }) {
  const { at = 0 } = search;
  const audit = useQuery(auditQuery(run));
  const { data, error, refetch } = useQuery(setQuery(run, search));
  const total = data?.total ?? 0;
  const step = {
    what: "set",
    at,
    total,
    onStep: (to: number) => onSearch({ ...search, at: to }, true),
  };
  const onStep = useSteps(step);
  useUp("the audit", { to: "/runs/$run/audit", params: { run } });
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
      <StepBar
        {...step}
        onStep={onStep}
        beside={set === undefined ? "" : ` · ${set.category}, by ${set.generator}`}
      />
      <Awaited of={{ data, error, refetch }} what="the set" />
      {data !== undefined && set === undefined && (
        <NoneFits title="No set fits" onSearch={onSearch} />
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
}: Searched<SetSearch> & { readonly audit: AuditDetail }) {
  const { at, ...rest } = search;
  const categories = [...new Set(items.map(({ category }) => category))];
  const flagged = items.flatMap(({ category, item }) =>
    search.category === undefined || search.category === category ? [item] : [],
  );
  const choice = (
    name: "category" | "generator" | "item",
    label: string,
    of: readonly (string | readonly [string, string])[],
  ) => (
    <Choice
      name={label}
      of={of}
      value={search[name]}
      any="all"
      onValue={(value) => onSearch(withoutEmpty<SetSearch>({ ...rest, [name]: value }))}
    />
  );
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      {choice("category", "Category", categories)}
      {choice("generator", "Generator", generators)}
      {choice(
        "item",
        "Flagged item",
        [...new Set(flagged)].sort().map((item) => [item, item.replaceAll("-", " ")]),
      )}
      <Choice
        name="Order"
        of={sortings}
        value={search.sort ?? "plan"}
        onValue={(value) => onSearch(setSearch({ ...rest, sort: value === "plan" ? "" : value }))}
      />
    </form>
  );
}

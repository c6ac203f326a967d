import { useQuery } from "@tanstack/react-query";
import type { DrawnOverview } from "../../../../src/report/standing.js";
import type { RunDetail } from "../../../../src/studio/api.js";
import { facets as allFacets, type Facet } from "../../../../src/views/view.js";
import { Choice } from "../../shell/choice.js";
import { Empty, Failure, Loading } from "../../shell/notices.js";
import { Plot } from "../../shell/plot.js";
import { TextTableView } from "../../shell/view-table.js";
import { overviewQuery } from "../queries.js";
import { type Searched, withoutEmpty } from "../search-text.js";
import type { OverviewSearch } from "./overview-search.js";

const facetText: Readonly<Record<Facet, string>> = {
  domain: "Domain",
  errorType: "Error type",
  category: "Category",
  metric: "Metric",
  model: "Metric's model",
  generator: "Image model",
};

/** The figure that shows a run's verdict, and its tables with the rows that are chosen. */
export function RunOverview({
  detail: { id, path, hasReport },
  search,
  onSearch,
}: Searched<OverviewSearch> & { readonly detail: RunDetail }) {
  const { data, error } = useQuery(overviewQuery(id));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading what="what it came to" />;
  if (data === null) {
    if (!hasReport) return null;
    return (
      <>
        <p className="quiet">Its report was made before runs had a figure here. Make it again:</p>
        <pre>touchstone report {path}</pre>
      </>
    );
  }
  const { figure, tables } = data;
  const chosen = Object.entries(search);
  const shown = tables
    .map((table) => ({
      ...table,
      rows: table.rows.filter(({ facets }) =>
        chosen.every(([name, value]) =>
          Object.entries(facets).some(([one, is]) => one === name && is === value),
        ),
      ),
    }))
    .filter(({ rows }) => rows.length > 0);
  return (
    <>
      <Plot
        svg={figure.svg}
        narrow={figure.narrow}
        description={figure.title}
        caption={figure.caption}
      />
      <h2>Results</h2>
      <Choices tables={tables} search={search} onSearch={onSearch} />
      {shown.length === 0 && (
        <Empty title="No row fits these choices">
          <button type="button" onClick={() => onSearch({})}>
            Take all away
          </button>
        </Empty>
      )}
      <div className="overview">
        {shown.map((table) => (
          <TextTableView
            key={table.title}
            table={{ ...table, rows: table.rows.map(({ cells }) => cells) }}
          />
        ))}
      </div>
      {shown.length > 0 && shown.length < tables.length && (
        <p className="quiet">
          Not shown, since their rows pool what is chosen:{" "}
          {tables
            .filter(({ title }) => !shown.some((one) => one.title === title))
            .map(({ title }) => title)
            .join(", ")}
          .
        </p>
      )}
    </>
  );
}

function Choices({
  tables,
  search,
  onSearch,
}: Searched<OverviewSearch> & { readonly tables: DrawnOverview["tables"] }) {
  const rows = tables.flatMap((table) => table.rows);
  return (
    <search>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        {allFacets.map((facet) => {
          const values = [...new Set(rows.flatMap(({ facets }) => facets[facet] ?? []))];
          const value = search[facet] ?? "";
          return (
            <Choice
              key={facet}
              name={facetText[facet]}
              of={[...new Set([...values, ...(value === "" ? [] : [value])])]}
              value={value}
              any="all"
              hidesAlone
              onValue={(chosen) =>
                onSearch(withoutEmpty<OverviewSearch>({ ...search, [facet]: chosen }))
              }
            />
          );
        })}
        {Object.keys(search).length > 0 && (
          <button type="button" onClick={() => onSearch({})}>
            Take all away
          </button>
        )}
      </form>
    </search>
  );
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useKeys } from "../../shell/keys.js";
import { Awaited, NoneFits } from "../../shell/notices.js";
import { pluralText } from "../../shell/numbers.js";
import { Filters } from "../gallery/filters.js";
import { useItems } from "../gallery/use-items.js";
import { useSelection } from "../gallery/use-selection.js";
import { NamedViews } from "../notes/named-views.js";
import { SelectionBar } from "../notes/selection-bar.js";
import { gridChunks, runQuery } from "../queries.js";
import { useLiveRun } from "../run/live-run.js";
import { RunFrame } from "../run/run-frame.js";
import type { Searched } from "../search-text.js";
import { useUp } from "../use-up.js";
import { type GridSearch, onlyChoices } from "./grid-search.js";
import { LightTable } from "./light-table.js";

const onlyText = {
  differences: "Only differences",
  people: "Only disagreement with people",
  unscored: "Only unscored",
} as const;

/** A run's images as prompts by models, with what metrics and people make of them. */
export function GridPage({
  run,
  search,
  onSearch: go,
}: Searched<GridSearch> & { readonly run: string }) {
  useLiveRun(run);
  const finder = useRef<HTMLInputElement>(null);
  const selection = useSelection();
  const { data: detail } = useQuery(runQuery(run));
  const { sheet, error, onRange, expect } = useItems(run, search, gridChunks);
  const client = useQueryClient();
  const isRead = detail?.index.isReady;
  const isPartial = sheet?.page.isReady === false;
  useEffect(() => {
    // Images are shown before their scores are read.
    if (isRead && isPartial) void client.invalidateQueries({ queryKey: ["items", run, "grid"] });
  }, [client, run, isRead, isPartial]);
  const onSearch = (next: GridSearch, isPassing = false) => {
    expect(next);
    go(next, isPassing);
  };
  const { only, ...filters } = search;
  const onFilters = (next: typeof filters, isPassing = false) =>
    onSearch({ ...next, ...(only === undefined ? {} : { only }) }, isPassing);
  useKeys([
    { key: "/", does: "search the texts", run: () => finder.current?.focus() },
    { key: "x", does: "take all filters away", run: () => onSearch({}) },
  ]);
  useUp("the run", { to: "/runs/$run", params: { run } });
  const hasPeople = detail?.columns.some(({ isByPeople }) => isByPeople) ?? false;
  return (
    <RunFrame run={run} title="Grid">
      {detail !== undefined && (
        <Filters detail={detail} search={filters} onSearch={onFilters} finder={finder} />
      )}
      <p className="steps">
        {onlyChoices
          .filter((one) => one !== "people" || hasPeople)
          .map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={only === one}
              onClick={() => onSearch(only === one ? filters : { ...filters, only: one })}
            >
              {onlyText[one]}
            </button>
          ))}
        <span className="quiet" role="status">
          {sheet !== undefined &&
            `${pluralText(sheet.total, "row")}, ${pluralText(sheet.page.columns.length, "column")}${isPartial ? "; reading the scores …" : ""}`}
        </span>
        <NamedViews run={run} page="grid" search={search} />
      </p>
      <SelectionBar run={run} selection={selection} />
      <Awaited of={{ data: sheet, error }} what="the images" />
      {sheet?.total === 0 && <NoneFits title="No row fits these filters" onSearch={onSearch} />}
      {sheet !== undefined && sheet.total > 0 && (
        <LightTable
          run={run}
          sheet={sheet}
          columns={detail?.columns ?? []}
          selection={selection}
          onRange={onRange}
        />
      )}
    </RunFrame>
  );
}

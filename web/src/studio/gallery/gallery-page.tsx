import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { ScoreColumn } from "../../../../src/studio/api.js";
import { useKeys } from "../../shell/keys.js";
import { Awaited, Empty } from "../../shell/notices.js";
import { countText, pluralText } from "../../shell/numbers.js";
import { NamedViews } from "../notes/named-views.js";
import { SelectionBar } from "../notes/selection-bar.js";
import { itemChunks, runQuery } from "../queries.js";
import { useLiveRun } from "../run/live-run.js";
import { RunFrame } from "../run/run-frame.js";
import { type Searched, withoutEmpty } from "../search-text.js";
import { useUp } from "../use-up.js";
import { Filters } from "./filters.js";
import type { GallerySearch } from "./gallery-search.js";
import { Grid } from "./grid.js";
import { SaveItems } from "./save-items.js";
import { useItems } from "./use-items.js";
import { useSelection } from "./use-selection.js";

/** All images of a run, or those that the filters leave, in the order that is wanted. */
export function GalleryPage({
  run,
  search,
  onSearch: go,
}: Searched<GallerySearch> & { readonly run: string }) {
  useLiveRun(run);
  const finder = useRef<HTMLInputElement>(null);
  const selection = useSelection();
  const detail = useQuery(runQuery(run));
  const { sheet, error, onRange, expect } = useItems(run, search, itemChunks);
  const onSearch = (next: GallerySearch, isPassing = false) => {
    expect(next);
    go(next, isPassing);
  };
  const isFiltered = Object.keys(search).some((name) => name !== "sort" && name !== "order");
  useKeys([
    { key: "/", does: "search the texts", run: () => finder.current?.focus() },
    { key: "x", does: "take all filters away", run: () => onSearch({}) },
    {
      key: "r",
      does: "turn the order round",
      run: () =>
        onSearch(withoutEmpty({ ...search, order: search.order === "down" ? "up" : "down" })),
    },
  ]);
  useUp("the run", { to: "/runs/$run", params: { run } });
  return (
    <RunFrame run={run} title="Images">
      {detail.data !== undefined && (
        <Filters detail={detail.data} search={search} onSearch={onSearch} finder={finder} />
      )}
      <p className="quiet">
        <span role="status">
          {sheet !== undefined && pluralText(sheet.total, "image")}
          {isFiltered &&
            sheet !== undefined &&
            detail.data !== undefined &&
            ` of ${countText(detail.data.images)}`}
        </span>{" "}
        {sheet !== undefined && detail.data?.index.isReady === true && (
          <SaveItems
            key={JSON.stringify(search)}
            run={run}
            search={search}
            columns={detail.data.columns}
            total={sheet.total}
          />
        )}{" "}
        <NamedViews run={run} page="gallery" search={search} />
      </p>
      <SelectionBar run={run} selection={selection} />
      <RankNote search={search} />
      <Awaited of={{ data: sheet, error }} what="the images" />
      {sheet?.total === 0 && (
        <Empty title={isFiltered ? "No image fits these filters" : "This run has no images yet"}>
          {isFiltered ? (
            <button type="button" onClick={() => onSearch({})}>
              Take all filters away
            </button>
          ) : (
            <p>Images show here as soon as they are made.</p>
          )}
        </Empty>
      )}
      {/* Filters that came later would push rows whose pictures are asked for out of the window. */}
      {sheet !== undefined && sheet.total > 0 && !detail.isPending && (
        <Grid
          run={run}
          sheet={sheet}
          onRange={onRange}
          columns={detail.data?.columns ?? noColumns}
          selection={selection}
        />
      )}
    </RunFrame>
  );
}

const noColumns: readonly ScoreColumn[] = [];

/** Explains disagreement where images are sorted or chosen by it. */
function RankNote({ search: { sort, spread, gap, metric } }: { readonly search: GallerySearch }) {
  if (sort === "people" || gap !== undefined) {
    return (
      <p className="quiet">
        Scores have no common scale, so ranks are compared: a metric and people each rank the images
        that both scored, and 0 to 1 is how far apart an image lies in the two.{" "}
        {metric === undefined && "Of several metrics the one furthest from people counts."}
      </p>
    );
  }
  if (sort !== "disagreement" && spread === undefined) return null;
  return (
    <p className="quiet">
      Scores have no common scale, so ranks are compared: each metric ranks the images that it
      scored, and 0 to 1 is how far apart an image lies in its highest and its lowest rank.
    </p>
  );
}

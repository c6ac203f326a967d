import { infiniteQueryOptions } from "@tanstack/react-query";
import type { DrawnOverview } from "../../../src/report/standing.js";
import type {
  Explained,
  FileList,
  ItemDetail,
  ItemPage,
  PairPage,
  RunDetail,
  RunList,
} from "../../../src/studio/api.js";
import type { ChangedImages } from "../../../src/studio/compare/changed-images.js";
import type { RunComparison } from "../../../src/studio/compare/compare-runs.js";
import type { GridPage } from "../../../src/studio/grid/grid-api.js";
import type { RunNotes, WrittenTable } from "../../../src/studio/notes/note-api.js";
import type { ScoredRowPage, ScoreFileDetail } from "../../../src/studio/scores/score-api.js";
import { ask, exported, searchOf, send } from "../shell/api.js";
import { readerName } from "../shell/reader-name.js";
import { asked } from "./asked.js";
import type { GallerySearch } from "./gallery/gallery-search.js";
import type { GridSearch } from "./grid/grid-search.js";
import type { ScoresSearch } from "./scores/scores-search.js";

const addressOf = (run: string) => `/api/runs/${encodeURIComponent(run)}`;

export const runsQuery = asked<RunList>(["runs"], "/api/runs", {
  refetchInterval: () => (exported.source === undefined ? 4000 : false),
});

export const filesQuery = asked<FileList>(["files"], "/api/files", {
  refetchInterval: 8000,
});

export const runQuery = (run: string) =>
  asked<RunDetail>(["run", run], addressOf(run), {
    // While it is read for the first time, how far that is.
    refetchInterval: ({ state }) => (state.data?.index.isReady === false ? 150 : false),
  });

export const overviewQuery = (run: string) =>
  asked<DrawnOverview | null>(["run", run, "overview"], `${addressOf(run)}/overview`);

/** How a long list is asked for, a chunk of `size` items at once. */
export interface ChunkQuery<Search, Page> {
  readonly size: number;
  query(
    run: string,
    search: Search,
    chunk: number,
  ): {
    readonly queryKey: readonly unknown[];
    readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Page>;
  };
}

const chunked = <Search extends GallerySearch, Page>(
  list: "items" | "grid",
  size: number,
): ChunkQuery<Search, Page> => ({
  size,
  query: (run, search: GallerySearch, chunk) => ({
    queryKey: ["items", run, list, search, chunk],
    queryFn: ({ signal }) =>
      ask<Page>(
        `${addressOf(run)}/${list}${searchOf({ ...search, limit: size, cursor: chunk * size, early: list === "grid" ? "yes" : undefined })}`,
        signal,
      ),
  }),
});

export const itemChunks = chunked<GallerySearch, ItemPage>("items", 100);
export const gridChunks = chunked<GridSearch, GridPage>("grid", 20);

export const notesQuery = (run: string) =>
  asked<RunNotes>(["notes", run], `${addressOf(run)}/notes`, {
    enabled: exported.source === undefined,
  });

/** Adds a note of a run or its images, and returns all there are then. */
export const sendNote = (run: string, note: Readonly<Record<string, unknown>>) =>
  send<RunNotes>(`${addressOf(run)}/notes`, { by: readerName(), ...note });

/** Writes images of a run as a table beside its notes. */
export const sendTable = (run: string, table: { name: string; of: readonly string[] }) =>
  send<WrittenTable>(`${addressOf(run)}/tables`, table);

/** As many images as are answered at once, for whoever goes over all of them. */
export const pageOfItems = (run: string, search: GallerySearch, cursor: string) =>
  ask<ItemPage>(`${addressOf(run)}/items${searchOf({ ...search, limit: 500, cursor })}`);

/** The image at one place of a gallery; none is asked for below 0. */
export const neighbourQuery = (run: string, search: GallerySearch, at: number) =>
  asked<ItemPage>(
    ["items", run, search, "at", at],
    `${addressOf(run)}/items${searchOf({ ...search, limit: 1, cursor: at })}`,
    { enabled: at >= 0 },
  );

export const itemQuery = (run: string, key: string) =>
  asked<ItemDetail>(
    ["items", run, "one", key],
    `${addressOf(run)}/items/${encodeURIComponent(key)}`,
  );

export const explainedQuery = (run: string, key: string) =>
  asked<Explained>(["record", run, key], `${addressOf(run)}/records/${encodeURIComponent(key)}`);

/** Which pairs: those of a gallery's search that the run's filter keeps or leaves out. */
export interface WantedPairs extends GallerySearch {
  readonly key?: string;
  readonly keptBy?: string;
  readonly keepFrom?: number;
  readonly kept?: "yes" | "no";
}

export const pairQuery = (run: string, search: WantedPairs, at: number) =>
  asked<PairPage>(
    ["items", run, "pairs", search, at],
    `${addressOf(run)}/pairs${searchOf({ ...search, limit: 1, cursor: at })}`,
  );

const scoresAddress = (id: string) => `/api/scores/${encodeURIComponent(id)}`;

export const scoreFileQuery = (id: string) =>
  asked<ScoreFileDetail>(["scores", id], scoresAddress(id));

export const scoredRowsQuery = (id: string, search: ScoresSearch) =>
  infiniteQueryOptions({
    queryKey: ["scores", id, "rows", search],
    queryFn: ({ signal, pageParam }) =>
      ask<ScoredRowPage>(
        `${scoresAddress(id)}/rows${searchOf({ ...search, cursor: pageParam })}`,
        signal,
      ),
    initialPageParam: "0",
    getNextPageParam: ({ next }) => next,
    // What was found before stays until what is asked for is there.
    placeholderData: (before) => before,
  });

export const scoredImageAddress = (id: string, at: number, width?: number) =>
  `${scoresAddress(id)}/images/${at}${searchOf({ width })}`;

export const compareQuery = (runs: readonly string[]) =>
  asked<RunComparison>(
    ["compare", ...runs],
    `/api/compare?${new URLSearchParams(runs.map((run) => ["run", run]))}`,
    { enabled: runs.length > 0 },
  );

/** The images of two runs, pixel by pixel; an export holds no such comparison. */
export const changesQuery = (runs: readonly [before: string, after: string]) =>
  asked<ChangedImages>(
    ["changes", ...runs],
    `/api/changes?${new URLSearchParams(runs.map((run) => ["run", run]))}`,
    { enabled: exported.source === undefined },
  );

export const imageAddress = (run: string, image: string, width?: number) =>
  exported.source?.image(run, image, width) ??
  `${addressOf(run)}/images/${image}${searchOf({ width })}`;

/** Address of what a localised metric showed of an entity of a score. */
export const lookAddress = (run: string, score: string, at: number) =>
  exported.source?.look(run, score, at) ?? `${addressOf(run)}/looks/${score}/${at}`;

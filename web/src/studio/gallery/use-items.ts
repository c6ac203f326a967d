import { type UseQueryResult, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import type { ItemPage } from "../../../../src/studio/api.js";
import type { ChunkQuery } from "../queries.js";
import type { GallerySearch } from "./gallery-search.js";

interface AnyPage {
  readonly items: readonly unknown[];
  readonly total: number;
}

/** Items of one search: images, or rows of images. The same object for as long as none of them changes. */
export interface Sheet<Search = GallerySearch, Page extends AnyPage = ItemPage> {
  readonly search: Search;
  /** How many the filters leave. */
  readonly total: number;
  /** The page that was answered first, which says what all have in common. */
  readonly page: Page;
  /** Undefined where it is still on its way. */
  itemAt(index: number): Page["items"][number] | undefined;
}

export interface Items<Search, Page extends AnyPage> {
  /** Undefined until the first are known. */
  readonly sheet: Sheet<Search, Page> | undefined;
  readonly error: Error | null;
  /** Tells which are about to be seen. */
  onRange(first: number, last: number): void;
  /** Asks for the items of another search, which is about to be shown. */
  expect(search: Search): void;
}

/**
 * Items of a gallery or a grid, asked for in chunks as they come into view. While those of other filters
 * are on their way, the ones before stay.
 *
 * @param list what asks for a chunk; `size` is how many items it has
 */
export function useItems<Search, Page extends AnyPage>(
  run: string,
  search: Search,
  list: ChunkQuery<Search, Page>,
): Items<Search, Page> {
  const { query, size } = list;
  const client = useQueryClient();
  const [range, setRange] = useState({ first: 0, last: 0 });
  const last = useRef<Sheet<Search, Page>>(undefined);
  const chunks = Array.from({ length: range.last - range.first + 1 }, (_, at) => range.first + at);
  const queries = chunks.map((chunk) => query(run, search, chunk));
  const { pages, error } = useQueries({ queries, combine: combined });
  const page = pages.find((one) => one !== undefined);
  const { first } = range;
  const found = useMemo(() => {
    if (page === undefined) return undefined;
    const kept = (chunk: number) => client.getQueryData<Page>(query(run, search, chunk).queryKey);
    const itemAt = (index: number): Page["items"][number] | undefined => {
      const chunk = Math.floor(index / size);
      return (pages[chunk - first] ?? kept(chunk))?.items[index % size];
    };
    return { search, total: page.total, page, itemAt };
  }, [client, run, search, page, pages, first, query, size]);
  if (found !== undefined) last.current = found;
  const sheet = last.current;
  const onRange = useCallback(
    (first: number, last: number) => {
      const wanted = { first: Math.floor(first / size), last: Math.floor(last / size) };
      setRange((now) => (now.first === wanted.first && now.last === wanted.last ? now : wanted));
    },
    [size],
  );
  const expect = (wanted: Search) => {
    for (const chunk of chunks) void client.prefetchQuery(query(run, wanted, chunk));
  };
  return { sheet, error, onRange, expect };
}

/** Stays the same for as long as nothing of it changes. */
const combined = <Page>(found: readonly UseQueryResult<Page>[]) => ({
  pages: found.map(({ data }) => data),
  error: found.find((one) => one.error !== null)?.error ?? null,
});

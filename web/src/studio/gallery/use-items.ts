import { type UseQueryResult, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import type { Item, ItemPage } from "../../../../src/studio/api.js";
import { chunkSize, itemsQuery } from "../queries.js";
import type { GallerySearch } from "./gallery-search.js";

/** Images of one search in a gallery. The same object for as long as none of them changes. */
export interface Sheet {
  readonly search: GallerySearch;
  /** How many the filters leave. */
  readonly total: number;
  /** Undefined where it is still on its way. */
  itemAt(index: number): Item | undefined;
}

export interface Items {
  /** Undefined until the first are known. */
  readonly sheet: Sheet | undefined;
  readonly error: Error | null;
  /** Tells which are about to be seen. */
  onRange(first: number, last: number): void;
  /** Asks for the images of another search, which is about to be shown. */
  expect(search: GallerySearch): void;
}

/**
 * The images of a gallery, asked for in chunks as they come into view. While those of other filters are
 * on their way, the ones before stay.
 */
export function useItems(run: string, search: GallerySearch): Items {
  const client = useQueryClient();
  const [range, setRange] = useState({ first: 0, last: 0 });
  const last = useRef<Sheet>(undefined);
  const chunks = Array.from({ length: range.last - range.first + 1 }, (_, at) => range.first + at);
  const queries = chunks.map((chunk) => itemsQuery(run, search, chunk));
  const { pages, error } = useQueries({ queries, combine: combined });
  const total = pages.find((page) => page !== undefined)?.total;
  const { first } = range;
  const found = useMemo(() => {
    if (total === undefined) return undefined;
    const kept = (chunk: number) => client.getQueryData(itemsQuery(run, search, chunk).queryKey);
    const itemAt = (index: number) => {
      const chunk = Math.floor(index / chunkSize);
      return (pages[chunk - first] ?? kept(chunk))?.items[index % chunkSize];
    };
    return { search, total, itemAt };
  }, [client, run, search, total, pages, first]);
  if (found !== undefined) last.current = found;
  const sheet = last.current;
  const onRange = useCallback((first: number, last: number) => {
    const wanted = { first: Math.floor(first / chunkSize), last: Math.floor(last / chunkSize) };
    setRange((now) => (now.first === wanted.first && now.last === wanted.last ? now : wanted));
  }, []);
  const expect = (wanted: GallerySearch) => {
    for (const chunk of chunks) void client.prefetchQuery(itemsQuery(run, wanted, chunk));
  };
  return { sheet, error, onRange, expect };
}

/** Stays the same for as long as nothing of it changes. */
const combined = (found: readonly UseQueryResult<ItemPage>[]) => ({
  pages: found.map(({ data }) => data),
  error: found.find((one) => one.error !== null)?.error ?? null,
});

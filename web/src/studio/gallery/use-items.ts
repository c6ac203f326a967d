import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import type { Item } from "../../../../src/studio/api.js";
import { chunkSize, itemsQuery } from "../queries.js";
import type { GallerySearch } from "./gallery-search.js";

export interface Items {
  /** How many the filters leave; undefined until that is known. */
  readonly total: number | undefined;
  readonly error: Error | null;
  /** Undefined where it is still on its way. */
  itemAt(index: number): Item | undefined;
  /** Tells which are about to be seen. */
  onRange(first: number, last: number): void;
}

/**
 * The images of a gallery, asked for in chunks as they come into view. While those of other filters are
 * on their way, the ones before stay.
 */
export function useItems(run: string, search: GallerySearch): Items {
  const client = useQueryClient();
  const [range, setRange] = useState({ first: 0, last: 0 });
  const before = useRef<{ readonly search: GallerySearch; readonly total: number }>(undefined);
  const chunks = Array.from({ length: range.last - range.first + 1 }, (_, at) => range.first + at);
  const found = useQueries({ queries: chunks.map((chunk) => itemsQuery(run, search, chunk)) });
  const total = found.find(({ data }) => data !== undefined)?.data?.total;
  if (total !== undefined) before.current = { search, total };
  const shown = before.current;
  const itemAt = (index: number) => {
    if (shown === undefined) return undefined;
    const chunk = Math.floor(index / chunkSize);
    const data = client.getQueryData(itemsQuery(run, shown.search, chunk).queryKey);
    return data?.items[index % chunkSize];
  };
  const onRange = useCallback((first: number, last: number) => {
    const wanted = { first: Math.floor(first / chunkSize), last: Math.floor(last / chunkSize) };
    setRange((now) => (now.first === wanted.first && now.last === wanted.last ? now : wanted));
  }, []);
  return {
    total: shown?.total,
    error: found.find(({ error }) => error !== null)?.error ?? null,
    itemAt,
    onRange,
  };
}

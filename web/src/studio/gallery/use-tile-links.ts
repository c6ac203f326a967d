import { useNavigate, useRouter } from "@tanstack/react-router";
import { type MouseEvent, useCallback, useMemo } from "react";
import type { Item } from "../../../../src/studio/api.js";
import type { GallerySearch } from "./gallery-search.js";

interface TileLinks {
  /** The address of an image's page, which leads on to the images beside it. */
  addressOf(item: Item, index?: number): string;
  /** Follows such a link within the page where it was clicked as links are. */
  follow(event: MouseEvent, itemAt: (index: number) => Item | undefined): void;
}

const to = "/runs/$run/items/$image";
const standIn = "IMAGE";

/**
 * The links of a gallery's tiles: what they share is worked out once, not for each of them.
 *
 * @param options.hasPlace whether an image's place in the list is its place in the gallery's order
 */
export function useTileLinks(
  run: string,
  search: GallerySearch,
  { hasPlace = true }: { readonly hasPlace?: boolean } = {},
): TileLinks {
  const { buildLocation, history } = useRouter();
  const navigate = useNavigate();
  const [before = "", after = ""] = useMemo(() => {
    const { publicHref } = buildLocation({ to, params: { run, image: standIn }, search });
    return history.createHref(publicHref).split(`/${standIn}`);
  }, [buildLocation, history, run, search]);
  const addressOf = useCallback(
    ({ key }: Item, index?: number) =>
      index === undefined
        ? `${before}/${key}${after}`
        : `${before}/${key}${after}${after.includes("?") ? "&" : "?"}at=${index}`,
    [before, after],
  );
  const follow: TileLinks["follow"] = (event, itemAt) => {
    const index = Number(tileOf(event.target)?.dataset.at ?? Number.NaN);
    const item = itemAt(index);
    const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
    // With these keys a browser opens a page of its own.
    if (item === undefined || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    void navigate({
      to,
      params: { run, image: item.key },
      search: hasPlace ? { ...search, at: index } : search,
    });
  };
  return { addressOf, follow };
}

/** The link of the tile that an event is about. */
export const tileOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-at]") : null;

import { type RefObject, useCallback, useEffect, useState } from "react";
import type { GallerySearch } from "./gallery-search.js";

interface Reach {
  /** Rows above and below the window whose pictures are asked for; a part of a row are its first ones. */
  readonly reach: number;
  /** To be told whenever a picture has come, or failed to. */
  onPicture(): void;
}

interface ReachOptions {
  readonly list: RefObject<HTMLElement | null>;
  readonly search: GallerySearch;
  /** Rows: by how much it grows, and how far. */
  readonly step: number;
  readonly most: number;
  readonly isScrolling: boolean;
}

/**
 * How far beyond the window pictures are asked for: of another search nowhere at first, then a step
 * further each time all that were asked for are there. What nobody sees yet so waits for what is seen,
 * and the next choice finds the server and the browser's connections free. Whoever scrolls wants all.
 */
export function useReach({ list, search, step, most, isScrolling }: ReachOptions): Reach {
  const [state, setState] = useState({ search, reach: 0 });
  const reach = state.search === search ? state.reach : 0;
  const onPicture = useCallback(() => {
    const pictures = [...(list.current?.querySelectorAll("img") ?? [])];
    if (pictures.length === 0 || pictures.some(({ complete }) => !complete)) return;
    // Of several that come together each tells; a step further they lead once.
    if (reach < most) setState({ search, reach: reach + step });
  }, [list, search, reach, step, most]);
  useEffect(() => {
    if (isScrolling) setState({ search, reach: most });
  }, [isScrolling, search, most]);
  // Pictures that were there before tell nothing more.
  useEffect(onPicture, [onPicture]);
  return { reach, onPicture };
}

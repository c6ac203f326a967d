import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useKeys } from "../../shell/keys.js";
import { tileOf } from "./use-tile-links.js";

/** Pixels: how wide an element is, and how far below the top of the page. */
export function useWidth(list: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = () => {
      const width = element.clientWidth;
      const top = element.getBoundingClientRect().top + scrollY;
      setPlace((now) => (now.width === width && now.top === top ? now : { width, top }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return place;
}

interface CellsOptions {
  readonly list: RefObject<HTMLElement | null>;
  readonly place: { readonly width: number; readonly top: number };
  /** Cells in all, and in a row. */
  readonly total: number;
  readonly perRow: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** Rows drawn above and below what is seen, so that scrolling finds them drawn. */
  readonly overscan: number;
  readonly onRange: (first: number, last: number) => void;
}

/**
 * Rows of cells of which only those near the window are in the page. Arrow keys go from one to the next; a
 * cell is the element whose `data-at` is its place.
 */
export function useCells(options: CellsOptions) {
  const { list, place, total, perRow, rowHeight, overscan, onRange } = options;
  const [current, setCurrent] = useState(0);
  const wanted = useRef<number | undefined>(undefined);
  const rows = useWindowVirtualizer({
    count: place.width === 0 ? 0 : Math.ceil(total / perRow),
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: place.top,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row's height alone says how much is drawn
  useLayoutEffect(() => rows.measure(), [rowHeight]);
  const drawn = rows.getVirtualItems();
  const first = (drawn[0]?.index ?? 0) * perRow;
  const last = Math.min(total, ((drawn.at(-1)?.index ?? 0) + 1) * perRow) - 1;
  useEffect(() => onRange(first, Math.max(first, last)), [onRange, first, last]);
  const focus = (index: number) => list.current?.querySelector<HTMLElement>(`[data-at="${index}"]`);
  // Who is gone to by key may have to be drawn first.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const element = focus(wanted.current);
    if (element === undefined || element === null) return;
    wanted.current = undefined;
    element.focus({ preventScroll: true });
  });
  const go = (index: number) => {
    const next = Math.min(Math.max(index, 0), total - 1);
    setCurrent(next);
    rows.scrollToIndex(Math.floor(next / perRow), { align: "auto" });
    const cell = focus(next);
    if (cell === null || cell === undefined) wanted.current = next;
    else cell.focus({ preventScroll: true });
  };
  const moves: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => go(current - 1),
    ArrowRight: () => go(current + 1),
    ArrowUp: () => go(current - perRow),
    ArrowDown: () => go(current + perRow),
    PageUp: () => go(current - 3 * perRow),
    PageDown: () => go(current + 3 * perRow),
    Home: () => go(0),
    End: () => go(total - 1),
  };
  useKeys([
    { key: "j", does: "to the images: the one last looked at", run: () => go(current) },
    {
      key: "ArrowRight",
      does: "from image to image, as the other arrows, Page keys, Home and End",
    },
    { key: "Enter", does: "open the image" },
  ]);
  return {
    rows,
    drawn,
    /** The cell that Tab leads to. */
    at: Math.min(Math.max(current, first), Math.max(first, last)),
    onKeyDown: (event: KeyboardEvent) => {
      const move = moves[event.key];
      if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move();
    },
    onFocus: ({ target }: FocusEvent) => {
      const cell = tileOf(target);
      if (cell !== null) setCurrent(Number(cell.dataset.at));
    },
  };
}

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  memo,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { ScoreColumn } from "../../../../src/studio/api.js";
import { useKeys } from "../../shell/keys.js";
import { Tile, textHeight } from "./tile.js";
import type { Sheet } from "./use-items.js";
import { useReach } from "./use-reach.js";
import { tileOf, useTileLinks } from "./use-tile-links.js";

const gap = 12;
const narrowest = 164;
/** Rows drawn above and below what is seen, so that scrolling finds them drawn. */
const overscan = 6;
/** Pictures of a row outside the window that are asked for at once. */
const atOnce = 2;

interface GridOptions {
  readonly run: string;
  readonly sheet: Sheet;
  readonly onRange: (first: number, last: number) => void;
  readonly columns: readonly ScoreColumn[];
}

/** Images in rows; only those near the window are in the page. Arrow keys go from one to the next. */
export const Grid = memo(function Grid({ run, sheet, onRange, columns }: GridOptions) {
  const { total, itemAt } = sheet;
  // What is seen is drawn at once, what lies above and below it when there is time.
  const later = useDeferredValue(sheet);
  const inside = useDrawing(run, sheet, columns);
  const outside = useDrawing(run, later, columns);
  const list = useRef<HTMLDivElement>(null);
  const [{ width, top }, setPlace] = useState({ width: 0, top: 0 });
  const [current, setCurrent] = useState(0);
  const wanted = useRef<number | undefined>(undefined);
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
  }, []);
  const perRow = Math.max(width < 420 ? 2 : 1, Math.floor((width + gap) / (narrowest + gap)));
  const side = Math.floor((width - gap * (perRow - 1)) / perRow);
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(total / perRow),
    estimateSize: () => side + textHeight + gap,
    overscan,
    scrollMargin: top,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row's height follows from the width alone
  useLayoutEffect(() => rows.measure(), [side]);
  const drawn = rows.getVirtualItems();
  const first = (drawn[0]?.index ?? 0) * perRow;
  const last = Math.min(total, ((drawn.at(-1)?.index ?? 0) + 1) * perRow) - 1;
  const { startIndex = 0, endIndex = drawn.length } = rows.range ?? {};
  const { reach, onPicture } = useReach({
    list,
    search: later.search,
    step: atOnce / perRow,
    most: overscan,
    isScrolling: rows.isScrolling,
  });
  /** How many rows above or below the window; 0 of those in it. */
  const rowsAway = (row: number) => Math.max(startIndex - row, row - endIndex, 0);
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
    const tile = focus(next);
    if (tile === null || tile === undefined) wanted.current = next;
    else tile.focus({ preventScroll: true });
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
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  useKeys([
    { key: "j", does: "to the images: the one last looked at", run: () => go(current) },
    {
      key: "ArrowRight",
      does: "from image to image, as the other arrows, Page keys, Home and End",
    },
    { key: "Enter", does: "open the image" },
  ]);
  const at = Math.min(Math.max(current, first), Math.max(first, last));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list of rows would be read as one of lists
    <div
      ref={list}
      role="list"
      aria-label="Images"
      className="grid"
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const tile = tileOf(target);
        if (tile !== null) setCurrent(Number(tile.dataset.at));
      }}
      onClick={(event) => inside.follow(event, itemAt)}
      onLoadCapture={onPicture}
      onErrorCapture={onPicture}
      style={{ height: rows.getTotalSize() }}
    >
      {drawn.map((row) => {
        const away = rowsAway(row.index);
        return Array.from({ length: Math.min(perRow, total - row.index * perRow) }, (_, column) => {
          const index = row.index * perRow + column;
          const drawing = away === 0 ? inside : outside;
          const item = drawing.itemAt(index);
          return (
            <Tile
              key={index}
              run={run}
              index={index}
              total={drawing.total}
              item={item}
              address={item === undefined ? undefined : drawing.addressOf(item, index)}
              shown={drawing.shown}
              hasPicture={away === 0 || away - 1 + (column + 1) / perRow <= reach}
              isCurrent={index === at}
              side={side}
              left={column * (side + gap)}
              top={row.start - top}
            />
          );
        });
      })}
    </div>
  );
});

/** How the tiles of a sheet are drawn: each with its item, its address and the score that is asked for. */
function useDrawing(run: string, sheet: Sheet, columns: readonly ScoreColumn[]) {
  const { search } = sheet;
  const links = useTileLinks(run, search);
  const shown = useMemo(
    () => ({
      column: columns.find(({ id }) => id === search.metric),
      isMargin: search.sort === "margin",
    }),
    [columns, search],
  );
  return { ...sheet, ...links, shown };
}

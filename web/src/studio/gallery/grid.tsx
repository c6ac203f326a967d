import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Item, ScoreColumn } from "../../../../src/studio/api.js";
import { useKeys } from "../../shell/keys.js";
import type { GallerySearch } from "./gallery-search.js";
import { Tile, textHeight } from "./tile.js";

const gap = 12;
const narrowest = 164;
/** Rows drawn above and below what is seen, so that scrolling finds them drawn. */
const overscan = 6;

interface GridOptions {
  readonly run: string;
  readonly total: number;
  readonly itemAt: (index: number) => Item | undefined;
  readonly onRange: (first: number, last: number) => void;
  readonly columns: readonly ScoreColumn[];
  readonly search: GallerySearch;
}

/** Images in rows; only those near the window are in the page. Arrow keys go from one to the next. */
export function Grid({ run, total, itemAt, onRange, columns, search }: GridOptions) {
  const list = useRef<HTMLDivElement>(null);
  const [{ width, top }, setPlace] = useState({ width: 0, top: 0 });
  const [current, setCurrent] = useState(0);
  const wanted = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = () =>
      setPlace({ width: element.clientWidth, top: element.getBoundingClientRect().top + scrollY });
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
  const shown = rows.getVirtualItems();
  const first = (shown[0]?.index ?? 0) * perRow;
  const last = Math.min(total, ((shown.at(-1)?.index ?? 0) + 1) * perRow) - 1;
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
    const drawn = focus(next);
    if (drawn === null || drawn === undefined) wanted.current = next;
    else drawn.focus({ preventScroll: true });
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
      style={{ height: rows.getTotalSize() }}
    >
      {shown.map((row) =>
        Array.from({ length: Math.min(perRow, total - row.index * perRow) }, (_, column) => {
          const index = row.index * perRow + column;
          return (
            <Tile
              key={index}
              run={run}
              index={index}
              total={total}
              item={itemAt(index)}
              columns={columns}
              search={search}
              isCurrent={index === at}
              onFocus={() => setCurrent(index)}
              place={{
                width: side,
                transform: `translate(${column * (side + gap)}px, ${row.start - top}px)`,
              }}
            />
          );
        }),
      )}
    </div>
  );
}

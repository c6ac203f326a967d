import { memo, useDeferredValue, useMemo, useRef } from "react";
import type { ScoreColumn } from "../../../../src/studio/api.js";
import { useKeys } from "../../shell/keys.js";
import { Tile, textHeight } from "./tile.js";
import { useCells, useWidth } from "./use-cells.js";
import type { Sheet } from "./use-items.js";
import { useReach } from "./use-reach.js";
import { keyMarked, type Selection } from "./use-selection.js";
import { useTileLinks } from "./use-tile-links.js";

const gap = 12;
const narrowest = 164;
const overscan = 6;
/** Pictures of a row outside the window that are asked for at once. */
const atOnce = 2;

interface GridOptions {
  readonly run: string;
  readonly sheet: Sheet;
  readonly onRange: (first: number, last: number) => void;
  readonly columns: readonly ScoreColumn[];
  readonly selection: Selection;
}

/** Images in rows; only those near the window are in the page. Arrow keys go from one to the next. */
export const Grid = memo(function Grid({ run, sheet, onRange, columns, selection }: GridOptions) {
  const { total, itemAt } = sheet;
  // What is seen is drawn at once, what lies above and below it when there is time.
  const later = useDeferredValue(sheet);
  const inside = useDrawing(run, sheet, columns);
  const outside = useDrawing(run, later, columns);
  const list = useRef<HTMLDivElement>(null);
  const place = useWidth(list);
  const { width, top } = place;
  const perRow = Math.max(width < 420 ? 2 : 1, Math.floor((width + gap) / (narrowest + gap)));
  const side = Math.floor((width - gap * (perRow - 1)) / perRow);
  const { rows, drawn, at, onKeyDown, onFocus } = useCells({
    list,
    place,
    total,
    perRow,
    rowHeight: side + textHeight + gap,
    overscan,
    onRange,
  });
  useKeys([{ key: "v", does: "choose the image", run: () => selection.toggle(itemAt(at)?.key) }]);
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
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list of rows would be read as one of lists
    <div
      ref={list}
      role="list"
      aria-label="Images"
      className="grid"
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onClick={(event) => inside.follow(event, itemAt)}
      onChange={({ target }) => selection.toggle(keyMarked(target))}
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
              isChosen={item !== undefined && selection.keys.has(item.key)}
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

import { memo, useMemo, useRef } from "react";
import type { ScoreColumn } from "../../../../src/studio/api.js";
import { columnName, nameApart } from "../../../../src/studio/column-name.js";
import type { GridCell, GridPage, GridRow } from "../../../../src/studio/grid/grid-api.js";
import { useKeys } from "../../shell/keys.js";
import { scoreText } from "../../shell/numbers.js";
import { Mark } from "../gallery/tile.js";
import { useCells, useWidth } from "../gallery/use-cells.js";
import type { Sheet } from "../gallery/use-items.js";
import { keyMarked, type Selection } from "../gallery/use-selection.js";
import { useTileLinks } from "../gallery/use-tile-links.js";
import { imageAddress } from "../queries.js";
import { scoreVerdict } from "../score-verdict.js";
import type { GridSearch } from "./grid-search.js";

const gap = 8;
/** Pixels: of a prompt's text, the narrowest and the widest cell, and a line of scores. */
const textWidth = 200;
const narrowest = 120;
const widest = 260;
const line = 18;
/** Of a prompt's text above its images, in a narrow window. */
const heightAbove = 3 * line;

/** Prompts by models: a row a prompt, an image of each model in its cells. Only rows near the window are drawn. */
export function LightTable({
  run,
  sheet,
  columns,
  selection,
  onRange,
}: {
  readonly run: string;
  readonly sheet: Sheet<GridSearch, GridPage>;
  readonly columns: readonly ScoreColumn[];
  readonly selection: Selection;
  readonly onRange: (first: number, last: number) => void;
}) {
  const { total, page, itemAt, search } = sheet;
  const perRow = page.columns.length;
  const list = useRef<HTMLDivElement>(null);
  const place = useWidth(list);
  const isNarrow = place.width < 700;
  const beside = isNarrow ? 0 : textWidth + gap;
  const fitting = Math.floor((place.width - beside - gap * (perRow - 1)) / perRow);
  const side = Math.min(widest, Math.max(narrowest, fitting));
  const textHeight = isNarrow ? heightAbove : 0;
  const ofPeople = columns.some(({ id, isByPeople }) => isByPeople && page.shown.includes(id))
    ? 1
    : 0;
  const rowHeight = textHeight + side + line * (page.shown.length + ofPeople) + 2 * gap;
  const filters = useMemo(() => {
    const { only: _, ...filters } = search;
    return filters;
  }, [search]);
  const { addressOf, follow } = useTileLinks(run, filters, { hasPlace: false });
  const cellAt = (at: number) => itemAt(Math.floor(at / perRow))?.cells[at % perRow]?.item;
  const { drawn, at, onKeyDown, onFocus } = useCells({
    list,
    place,
    total: total * perRow,
    perRow,
    rowHeight,
    // Rows are high and full: each costs as much as ten tiles of a gallery.
    overscan: 2,
    onRange: useRows(onRange, perRow),
  });
  useKeys([{ key: "v", does: "choose the image", run: () => selection.toggle(cellAt(at)?.key) }]);
  const shown = useMemo(
    () =>
      page.shown.flatMap((id) => {
        const column = columns.find((one) => one.id === id);
        return column === undefined ? [] : [column];
      }),
    [page.shown, columns],
  );
  const width = beside + perRow * (side + gap);
  return (
    <div className={width > place.width ? "scroll" : undefined} ref={list}>
      <div className="models" style={{ width, paddingLeft: beside }}>
        {page.columns.map((column) => (
          <b key={column} style={{ width: side }}>
            {nameApart(column, page.columns)}
          </b>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: rows of links would be read as one of lists */}
      <div
        role="list"
        aria-label="Prompts by models"
        className="grid"
        style={{ height: drawn.length === 0 ? 0 : total * rowHeight, width }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onClick={(event) => follow(event, cellAt)}
        onChange={({ target }) => selection.toggle(keyMarked(target))}
      >
        {drawn.map(({ index, start }) => (
          <Row
            key={index}
            run={run}
            row={itemAt(index)}
            index={index}
            total={total}
            top={start - place.top}
            side={side}
            beside={beside}
            seen={place.width}
            shown={shown}
            isFiltered={search.where !== undefined}
            current={at >= index * perRow && at < (index + 1) * perRow ? at : -1}
            selection={selection}
            addressOf={addressOf}
          />
        ))}
      </div>
    </div>
  );
}

/** What tells a metric apart from those of the same name, which a narrow cell has room for. */
const shortName = (name: string) => name.replace(/^[^,]+, (?:[\w-]+:)?/, "");

/** Tells of rows what is told of cells. */
const useRows = (onRange: (first: number, last: number) => void, perRow: number) =>
  useMemo(
    () => (first: number, last: number) =>
      onRange(Math.floor(first / perRow), Math.floor(last / perRow)),
    [onRange, perRow],
  );

interface RowOptions {
  readonly run: string;
  /** Undefined while it is on its way. */
  readonly row: GridRow | undefined;
  readonly index: number;
  readonly total: number;
  readonly top: number;
  readonly side: number;
  readonly beside: number;
  /** How wide what is seen of the row is. */
  readonly seen: number;
  readonly shown: readonly ScoreColumn[];
  /** Whether scores are chosen by: the cells that meet the conditions are marked. */
  readonly isFiltered: boolean;
  /** The cell that Tab leads to; -1 where it is in another row. */
  readonly current: number;
  readonly selection: Selection;
  readonly addressOf: ReturnType<typeof useTileLinks>["addressOf"];
}

const Row = memo(function Row(options: RowOptions) {
  const { row, index, total, top, side, beside, current } = options;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the list
    <div
      role="listitem"
      aria-setsize={total}
      aria-posinset={index + 1}
      className="row-of-cells"
      style={{ transform: `translateY(${top}px)` }}
    >
      <div
        className={beside === 0 ? "said-of-row above" : "said-of-row"}
        style={
          beside === 0 ? { width: options.seen, height: heightAbove } : { width: beside - gap }
        }
      >
        <p className={beside === 0 ? "said" : undefined}>{row?.text}</p>
        {row?.role !== undefined && <small>{row.role} </small>}
        {row !== undefined && row.sample > 0 && <small>sample {row.sample + 1} </small>}
        {row?.isAgainstPeople === true && <small className="bad">✕ people prefer another</small>}
        {row?.isAgainstPeople === false && <small className="good">✓ as people</small>}
      </div>
      <div
        className={beside === 0 ? "cells" : "cells beside"}
        style={beside === 0 ? {} : { left: beside }}
      >
        {row?.cells.map((cell, column) => {
          const at = index * row.cells.length + column;
          return (
            <div
              key={cell?.item.key ?? `none ${at}`}
              className={cell?.isMeant && options.isFiltered ? "cell meant" : "cell"}
              style={{ width: side }}
            >
              {cell === null ? (
                <span className="picture" style={{ height: side }}>
                  <span className="none">no image</span>
                </span>
              ) : (
                <Cell {...options} cell={cell} at={at} isCurrent={at === current} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
});

function Cell({
  run,
  cell: { item, isBest, isPeoplesChoice },
  at,
  side,
  shown,
  isCurrent,
  selection,
  addressOf,
}: RowOptions & {
  readonly cell: GridCell;
  readonly at: number;
  readonly isCurrent: boolean;
}) {
  const pixels = Math.ceil(side * Math.min(2, devicePixelRatio));
  return (
    <>
      <a
        href={addressOf(item)}
        data-at={at}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={[item.reason, item.generator, item.role].filter(Boolean).join(", ")}
      >
        <span className="picture" style={{ height: side }}>
          {item.image === null ? (
            <span className="none">{item.reason}</span>
          ) : (
            <img
              src={imageAddress(run, item.image, pixels)}
              alt=""
              decoding="async"
              width={item.width ?? undefined}
              height={item.height ?? undefined}
            />
          )}
        </span>
      </a>
      <Mark item={item} isChosen={selection.keys.has(item.key)} />
      {shown.map((column, place) => {
        const name = columnName(column, shown);
        const score = item.scores.find((one) => one.column === column.id);
        const value = score?.value ?? null;
        return (
          <span key={column.id} className="scores" title={name}>
            {score?.failed != null && (
              <span className={scoreVerdict(score).look}>
                {scoreVerdict(score).text.slice(0, 1)}{" "}
              </span>
            )}
            <b>{value === null ? (score?.reason ?? "–") : scoreText(value)}</b>
            {place === 0 && isBest && " ▲"} {shortName(name)}
          </span>
        );
      })}
      {isPeoplesChoice && <span className="scores good">✓ people's choice</span>}
    </>
  );
}

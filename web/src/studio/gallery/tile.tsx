import { Link } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import type { Item, ScoreColumn } from "../../../../src/studio/api.js";
import { scoreText } from "../../shell/numbers.js";
import { imageAddress } from "../queries.js";
import type { GallerySearch } from "./gallery-search.js";

/** Pixels of what stands below an image. */
export const textHeight = 68;

interface TileOptions {
  readonly run: string;
  readonly index: number;
  readonly total: number;
  /** Undefined while it is on its way. */
  readonly item: Item | undefined;
  readonly columns: readonly ScoreColumn[];
  readonly search: GallerySearch;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
  readonly place: CSSProperties;
}

/** One image of the gallery: what it was made from, and what the chosen metric says of it. */
export function Tile(options: TileOptions) {
  const { run, index, total, item, columns, search, isCurrent, onFocus, place } = options;
  const size = place.width;
  const pixels = typeof size === "number" ? Math.ceil(size * Math.min(2, devicePixelRatio)) : 256;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div
      role="listitem"
      aria-setsize={total}
      aria-posinset={index + 1}
      className="tile"
      style={place}
    >
      <Link
        to="/runs/$run/items/$image"
        params={{ run, image: item?.key ?? "" }}
        search={{ ...search, at: index }}
        disabled={item === undefined}
        data-at={index}
        tabIndex={isCurrent ? 0 : -1}
        onFocus={onFocus}
      >
        <span className="picture" style={{ height: size }}>
          {item?.image != null && (
            <img
              src={imageAddress(run, item.image, pixels)}
              alt=""
              decoding="async"
              // So that what is chosen next need not wait for pictures of before.
              fetchPriority="low"
              width={item.width ?? undefined}
              height={item.height ?? undefined}
            />
          )}
          {item !== undefined && item.image === null && <span className="none">{item.reason}</span>}
        </span>
        <span className="said">{item?.text}</span>
      </Link>
      {item !== undefined && <ScoreLine item={item} columns={columns} search={search} />}
    </div>
  );
}

function ScoreLine({
  item,
  columns,
  search,
}: Pick<TileOptions, "columns" | "search"> & { readonly item: Item }) {
  const column = columns.find(({ id }) => id === search.metric);
  const score = item.scores.find((one) => one.column === column?.id);
  if (item.apart !== undefined) {
    return (
      <span className="scores">
        <b>{item.apart === null ? "no two ranks" : `${item.apart.toFixed(2)} apart`}</b> ·{" "}
        {item.role}
      </span>
    );
  }
  const failures = item.scores.filter(({ failed }) => failed !== null);
  if (column === undefined) {
    const failed = failures.filter((one) => one.failed).length;
    return (
      <span className="scores">
        {item.role}
        {failures.length > 0 && (
          <span className={failed === 0 ? "good" : "bad"}>
            {failed === 0 ? " ✓ all right" : ` ✕ ${failed} of ${failures.length} wrong`}
          </span>
        )}
      </span>
    );
  }
  const isMargin = search.sort === "margin";
  const shown = isMargin ? score?.margin : score?.value;
  const value =
    shown === null || shown === undefined ? (score?.reason ?? "no score") : scoreText(shown);
  return (
    <span className="scores">
      {score?.failed != null && (
        <span className={score.failed ? "bad" : "good"}>
          {score.failed ? "✕ wrong " : "✓ right "}
        </span>
      )}
      <b>{isMargin && shown != null ? `by ${value.replace("−", "")}` : value}</b> · {item.role}
    </span>
  );
}

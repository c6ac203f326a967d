import { memo } from "react";
import type { Item, ScoreColumn } from "../../../../src/studio/api.js";
import { scoreText } from "../../shell/numbers.js";
import { imageAddress } from "../queries.js";
import { scoreVerdict } from "../score-verdict.js";

/** Pixels of what stands below an image. */
export const textHeight = 68;

interface TileOptions {
  readonly run: string;
  readonly index: number;
  readonly total: number;
  /** Undefined while it is on its way. */
  readonly item: Item | undefined;
  /** The address of its page; undefined without an item. */
  readonly address: string | undefined;
  readonly shown: ShownScore;
  /** Whether its picture may be asked for by now. */
  readonly hasPicture: boolean;
  readonly isCurrent: boolean;
  readonly isChosen: boolean;
  /** Pixels: of a side, and from the start of the grid. */
  readonly side: number;
  readonly left: number;
  readonly top: number;
}

/** Which of an image's scores is said below it: a column's value or margin; of none how many failed. */
export interface ShownScore {
  readonly column: ScoreColumn | undefined;
  readonly isMargin: boolean;
}

/**
 * One image of the gallery: what it was made from, and what the chosen metric says of it. It is drawn
 * anew only where something of it has changed; clicks and focus are its grid's matter.
 */
export const Tile = memo(function Tile(options: TileOptions) {
  const { run, index, total, item, address, shown, hasPicture, isCurrent, isChosen } = options;
  const { side, left, top } = options;
  const pixels = Math.ceil(side * Math.min(2, devicePixelRatio));
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div
      role="listitem"
      aria-setsize={total}
      aria-posinset={index + 1}
      className="tile"
      style={{ width: side, transform: `translate(${left}px, ${top}px)` }}
    >
      <a href={address} data-at={index} tabIndex={isCurrent ? 0 : -1}>
        <span className="picture" style={{ height: side }}>
          {hasPicture && item?.image != null && (
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
      </a>
      {item !== undefined && <Mark item={item} isChosen={isChosen} />}
      {item !== undefined && <ScoreLine item={item} shown={shown} />}
    </div>
  );
});

/** Chooses an image; what hears it is the list around it. */
export const Mark = ({
  item: { key, text },
  isChosen,
}: {
  readonly item: Item;
  readonly isChosen: boolean;
}) => (
  <input
    type="checkbox"
    className="mark"
    aria-label={`Choose: ${text}`}
    data-key={key}
    checked={isChosen}
    tabIndex={-1}
    readOnly
  />
);

function ScoreLine({ item, shown }: { readonly item: Item; readonly shown: ShownScore }) {
  const { column, isMargin } = shown;
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
  const number = isMargin ? score?.margin : score?.value;
  const value =
    number === null || number === undefined ? (score?.reason ?? "no score") : scoreText(number);
  return (
    <span className="scores">
      {score?.failed != null && (
        <span className={scoreVerdict(score).look}>{scoreVerdict(score).text} </span>
      )}
      <b>{isMargin && number != null ? `by ${value.replace("−", "")}` : value}</b> · {item.role}
    </span>
  );
}

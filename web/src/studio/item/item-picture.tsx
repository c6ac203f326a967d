import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ItemDetail, RunDetail } from "../../../../src/studio/api.js";
import { useKeys } from "../../shell/keys.js";
import { explainedQuery, imageAddress } from "../queries.js";
import { MaskLayer } from "./mask-layer.js";

/** An image as it is, as much of it as fits or every pixel, and where a localiser found its entities. */
export function ItemPicture({
  run,
  item,
  detail,
}: {
  readonly run: string;
  readonly item: ItemDetail;
  readonly detail: RunDetail | undefined;
}) {
  const [isFull, setFull] = useState(false);
  const masked = maskedScore(item, detail);
  // Undefined: no mask is shown; else the place of its entity.
  const [shown, setShown] = useState<number>();
  const { data } = useQuery({
    ...explainedQuery(run, masked ?? ""),
    enabled: masked !== undefined && shown !== undefined,
  });
  const looks = data?.looks?.entities.filter(({ shape }) => shape !== null) ?? [];
  const look = shown === undefined ? undefined : looks[shown];
  const turn = () => {
    if (masked === undefined) return;
    if (shown === undefined) setShown(0);
    else setShown(shown + 1 < looks.length ? shown + 1 : undefined);
  };
  useKeys([
    { key: "z", does: "every pixel, or as much as fits", run: () => setFull(!isFull) },
    ...(masked === undefined
      ? []
      : [{ key: "m", does: "the mask of each entity in turn, or none", run: turn }]),
  ]);
  return (
    <figure>
      {item.image === null ? (
        <p className="notice">There is no image: {item.reason}. Its record says why.</p>
      ) : (
        <div className={isFull ? "whole full" : "whole"}>
          <img
            src={imageAddress(run, item.image)}
            alt={`Painted from: ${item.text}`}
            width={item.width ?? undefined}
            height={item.height ?? undefined}
          />
          {look !== undefined && <MaskLayer look={look} />}
        </div>
      )}
      <figcaption className="quiet">
        {item.role}, by {item.generator}
        {item.width !== null && `, ${item.width} × ${item.height} pixels`}
        {item.domain !== null && `, ${item.domain}`}
      </figcaption>
      <p className="steps">
        {item.image !== null && (
          <button type="button" aria-pressed={isFull} onClick={() => setFull(!isFull)}>
            Every pixel
          </button>
        )}
        {masked !== undefined && (
          <button type="button" aria-pressed={shown !== undefined} onClick={turn}>
            Mask
          </button>
        )}
        {item.pair !== null && (
          <Link to="/runs/$run/pairs" params={{ run }} search={{ key: item.pair }}>
            Look at its pair
          </Link>
        )}
        <span className="quiet" role="status">
          {look !== undefined && `Where the localiser found ${look.entity}; m shows the next`}
          {shown !== undefined &&
            data !== undefined &&
            looks.length === 0 &&
            "The localiser found none of its entities, or its masks are not in the run's trace"}
        </span>
      </p>
    </figure>
  );
}

/** The key of the first score whose metric looked at entities one by one. */
function maskedScore(item: ItemDetail, detail: RunDetail | undefined): string | undefined {
  const found = item.scores.find(({ column, value }) => {
    const about = detail?.columns.find(({ id }) => id === column);
    const isWhole = about?.convention?.split(":").includes("none") ?? false;
    return value !== null && about?.metric === "localized-vqa-score" && !isWhole;
  });
  return found === undefined ? undefined : item.keys[found.column];
}

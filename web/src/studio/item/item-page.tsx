import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ItemDetail, RunDetail } from "../../../../src/studio/api.js";
import { Frame } from "../../shell/frame.js";
import { useKeys } from "../../shell/keys.js";
import { Failure, Loading } from "../../shell/notices.js";
import { pluralText } from "../../shell/numbers.js";
import type { GallerySearch } from "../gallery/gallery-search.js";
import { imageAddress, itemQuery, neighbourQuery, runQuery } from "../queries.js";
import "./item.css";
import { RecordFacts } from "./record-facts.js";
import { ScoreList } from "./score-list.js";

/** Where an image stands in the gallery that it was opened from. */
export interface ItemSearch extends GallerySearch {
  readonly at?: number;
}

/** One image: what it was made from, and all that was asked and said of it. */
export function ItemPage({
  run,
  image,
  search,
}: {
  readonly run: string;
  readonly image: string;
  readonly search: ItemSearch;
}) {
  const { at, ...filters } = search;
  const navigate = useNavigate();
  const detail = useQuery(runQuery(run));
  const { data, error, refetch } = useQuery(itemQuery(run, image));
  const before = useQuery(neighbourQuery(run, filters, at === undefined ? -1 : at - 1));
  const after = useQuery(neighbourQuery(run, filters, at === undefined ? -1 : at + 1));
  const go = (to: typeof before, place: number) => {
    const key = to.data?.items[0]?.key;
    if (key === undefined) return;
    const params = { run, image: key };
    void navigate({ to: "/runs/$run/items/$image", params, search: { ...filters, at: place } });
  };
  const [isFull, setFull] = useState(false);
  const previous = () => go(before, (at ?? 0) - 1);
  const next = () => go(after, (at ?? 0) + 1);
  useKeys([
    { key: "ArrowLeft", does: "the image before", run: previous },
    { key: "ArrowRight", does: "the next image", run: next },
    { key: "z", does: "every pixel, or as much as fits", run: () => setFull(!isFull) },
    {
      key: "p",
      does: "its pair",
      run: () => {
        if (data?.pair == null) return;
        void navigate({ to: "/runs/$run/pairs", params: { run }, search: { key: data.pair } });
      },
    },
    {
      key: "u",
      does: "up: the images",
      run: () => void navigate({ to: "/runs/$run/gallery", params: { run }, search: filters }),
    },
  ]);
  return (
    <Frame
      wide
      title={data?.text ?? "Image"}
      crumbs={[
        <Link key="runs" to="/">
          Runs
        </Link>,
        <Link key="run" to="/runs/$run" params={{ run }}>
          {detail.data?.name ?? run}
        </Link>,
        <Link key="images" to="/runs/$run/gallery" params={{ run }} search={filters}>
          Images
        </Link>,
      ]}
    >
      {at !== undefined && after.data !== undefined && (
        <p className="steps">
          <button type="button" onClick={previous} disabled={at === 0}>
            ← Before
          </button>
          <button type="button" onClick={next} disabled={at + 1 >= after.data.total}>
            Next →
          </button>
          <span className="quiet">
            {at + 1} of {pluralText(after.data.total, "image")}
          </span>
        </p>
      )}
      {error !== null && <Failure error={error} retry={() => refetch()} />}
      {data === undefined && error === null && <Loading what="the image" />}
      {data !== undefined && (
        <Shown run={run} item={data} detail={detail.data} isFull={isFull} onFull={setFull} />
      )}
    </Frame>
  );
}

function Shown({
  run,
  item,
  detail,
  isFull,
  onFull,
}: {
  readonly run: string;
  readonly item: ItemDetail;
  readonly detail: RunDetail | undefined;
  readonly isFull: boolean;
  readonly onFull: (isFull: boolean) => void;
}) {
  return (
    <div className="item">
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
          </div>
        )}
        <figcaption className="quiet">
          {item.role}, by {item.generator}
          {item.width !== null && `, ${item.width} × ${item.height} pixels`}
          {item.domain !== null && `, ${item.domain}`}
        </figcaption>
        <p className="steps">
          {item.image !== null && (
            <button type="button" aria-pressed={isFull} onClick={() => onFull(!isFull)}>
              Every pixel
            </button>
          )}
          {item.pair !== null && (
            <Link to="/runs/$run/pairs" params={{ run }} search={{ key: item.pair }}>
              Look at its pair
            </Link>
          )}
        </p>
      </figure>
      <div>
        {item.promptText !== null && (
          <p>
            Scored against: <b>{item.promptText}</b>
          </p>
        )}
        <ScoreList run={run} item={item} columns={detail?.columns ?? []} />
        <details className="record">
          <summary>How the image was made</summary>
          <RecordFacts run={run} record={item.key} />
        </details>
      </div>
    </div>
  );
}

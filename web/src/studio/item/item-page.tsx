import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ItemDetail, RunDetail } from "../../../../src/studio/api.js";
import { useKeys } from "../../shell/keys.js";
import { Awaited } from "../../shell/notices.js";
import type { GallerySearch } from "../gallery/gallery-search.js";
import { Noted } from "../notes/noted.js";
import { itemQuery, neighbourQuery, runQuery } from "../queries.js";
import { RunFrame } from "../run/run-frame.js";
import { StepBar } from "../steps.js";
import { useUp } from "../use-up.js";
import { ItemPicture } from "./item-picture.js";
import { OtherImages } from "./other-images.js";
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
  const { data, error, refetch } = useQuery({
    ...itemQuery(run, image),
    // The image before stays until the next is there, and what is open of its scores stays open.
    placeholderData: (before) => before,
  });
  const before = useQuery(neighbourQuery(run, filters, at === undefined ? -1 : at - 1));
  const after = useQuery(neighbourQuery(run, filters, at === undefined ? -1 : at + 1));
  const go = (neighbour: typeof before, place: number) => {
    const key = neighbour.data?.items[0]?.key;
    if (key === undefined) return;
    const params = { run, image: key };
    const to = "/runs/$run/items/$image";
    void navigate({ to, params, search: { ...filters, at: place }, resetScroll: false });
  };
  const previous = () => go(before, (at ?? 0) - 1);
  const next = () => go(after, (at ?? 0) + 1);
  useKeys([
    { key: "ArrowLeft", does: "the image before", run: previous },
    { key: "ArrowRight", does: "the next image", run: next },
    {
      key: "p",
      does: "its pair",
      run: () => {
        if (data?.pair == null) return;
        void navigate({ to: "/runs/$run/pairs", params: { run }, search: { key: data.pair } });
      },
    },
  ]);
  useUp("the images", { to: "/runs/$run/gallery", params: { run }, search: filters });
  return (
    <RunFrame
      run={run}
      title={data?.text ?? "Image"}
      crumbs={[
        <Link key="images" to="/runs/$run/gallery" params={{ run }} search={filters}>
          Images
        </Link>,
      ]}
    >
      {at !== undefined && after.data !== undefined && at < after.data.total && (
        <StepBar
          what="image"
          at={at}
          total={after.data.total}
          onStep={(to) => (to < at ? previous() : next())}
        />
      )}
      <Awaited of={{ data, error, refetch }} what="the image" />
      {data !== undefined && <Shown run={run} item={data} detail={detail.data} search={filters} />}
    </RunFrame>
  );
}

function Shown({
  run,
  item,
  detail,
  search,
}: {
  readonly run: string;
  readonly item: ItemDetail;
  readonly detail: RunDetail | undefined;
  readonly search: GallerySearch;
}) {
  const columns = detail?.columns ?? [];
  const asked = columns.find(({ id }) => id === search.metric) ?? columns[0];
  return (
    <div className="item">
      <ItemPicture key={item.key} run={run} item={item} detail={detail} />
      <div>
        {item.promptText !== null && (
          <p>
            Scored against: <b>{item.promptText}</b>
          </p>
        )}
        <ScoreList run={run} item={item} columns={columns} />
        <Noted run={run} of={[item.key]} />
        <OtherImages run={run} others={item.others} column={asked} search={search} />
        <details className="record">
          <summary>How the image was made</summary>
          <RecordFacts run={run} record={item.key} />
        </details>
      </div>
    </div>
  );
}

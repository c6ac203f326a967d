import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { ScoredMetric, ScoredRow } from "../../../../src/studio/scores/score-api.js";
import { Choice } from "../../shell/choice.js";
import { Frame } from "../../shell/frame.js";
import { useKeys } from "../../shell/keys.js";
import { Awaited, Empty, NoneFits } from "../../shell/notices.js";
import { pluralText, scoreText } from "../../shell/numbers.js";
import { leaveOnEscape, useTyped } from "../../shell/use-typed.js";
import { scoredImageAddress, scoredRowsQuery, scoreFileQuery } from "../queries.js";
import { type Searched, withoutEmpty } from "../search-text.js";
import { toRuns } from "../to-runs.js";
import { useUp } from "../use-up.js";
import type { ScoresSearch } from "./scores-search.js";

/** A file that `score` wrote: its images, the worst by a metric first. */
export function ScoresPage({
  id,
  search,
  onSearch,
}: Searched<ScoresSearch> & { readonly id: string }) {
  const finder = useRef<HTMLInputElement>(null);
  const detail = useQuery(scoreFileQuery(id));
  const rows = useInfiniteQuery(scoredRowsQuery(id, search));
  const metrics = detail.data?.metrics ?? [];
  const metric = metrics.find((one) => one.id === search.metric) ?? metrics[0];
  const turn = () =>
    onSearch(
      withoutEmpty<ScoresSearch>({ ...search, order: search.order === "best" ? "" : "best" }),
    );
  const [text, setText] = useTyped(search.text ?? "", (typed) => {
    onSearch(withoutEmpty<ScoresSearch>({ ...search, text: typed }), search.text !== undefined);
  });
  useKeys([
    { key: "/", does: "search the texts", run: () => finder.current?.focus() },
    { key: "r", does: "turn the order round", run: turn },
    { key: "n", does: "more images", run: () => void rows.fetchNextPage() },
    { key: "x", does: "take all filters away", run: () => onSearch({}) },
  ]);
  useUp("all runs and files");
  const total = rows.data?.pages[0]?.total;
  const error = detail.error ?? rows.error;
  return (
    <Frame wide title={detail.data?.name ?? id} crumbs={[toRuns]}>
      <Awaited of={{ data: detail.data, error, refetch: rows.refetch }} what="the scores" />
      {detail.data !== undefined && metric === undefined && (
        <Empty title="The file has no scores">
          <p>It was begun and nothing was scored yet. This page shows what is written to it.</p>
        </Empty>
      )}
      {metric !== undefined && (
        <>
          <MetricFacts metric={metric} />
          <search>
            <form className="filters" onSubmit={(event) => event.preventDefault()}>
              <label>
                Text
                <input
                  ref={finder}
                  type="search"
                  value={text}
                  placeholder="words in the text"
                  onChange={({ target }) => setText(target.value)}
                  onKeyDown={leaveOnEscape}
                />
              </label>
              {metrics.length > 1 && (
                <Choice
                  name="Metric"
                  of={metrics.map((one) => [one.id, `${one.metric} ${one.model}`])}
                  value={metric.id}
                  onValue={(one) => onSearch({ ...search, metric: one })}
                />
              )}
              <Choice
                name="Order"
                of={[["best", "best first"]]}
                value={search.order}
                any="worst first"
                onValue={turn}
              />
              {metric.reasons.length > 0 && (
                <Choice
                  name="Unscored"
                  of={[
                    ["any", "all unscored"],
                    ...metric.reasons.map(
                      ({ reason, rows: count }) => [reason, `${reason} (${count})`] as const,
                    ),
                  ]}
                  value={search.reason}
                  any="scored or not"
                  onValue={(reason) => onSearch(withoutEmpty<ScoresSearch>({ ...search, reason }))}
                />
              )}
            </form>
          </search>
          <p className="quiet" role="status">
            {total === undefined ? "Reading …" : pluralText(total, "image")}
          </p>
          {total === 0 && <NoneFits title="No image fits these filters" onSearch={onSearch} />}
          <ul className="images">
            {rows.data?.pages.flatMap((page) =>
              page.rows.map((row) => <ScoredTile key={row.at} id={id} row={row} />),
            )}
          </ul>
          {rows.hasNextPage && (
            <button type="button" onClick={() => void rows.fetchNextPage()}>
              Show more
            </button>
          )}
        </>
      )}
    </Frame>
  );
}

function MetricFacts({ metric }: { readonly metric: ScoredMetric }) {
  const {
    metric: name,
    model,
    convention,
    statistic,
    low,
    high,
    direction,
    scored,
    reasons,
  } = metric;
  return (
    <p>
      <b>{name}</b> {model}
      {convention !== null && `, ${convention}`}
      {statistic !== null && `, ${statistic}`}
      {low !== null && high !== null && `, ${low} to ${high}`}, {direction} is better;{" "}
      {pluralText(scored, "score")}
      {reasons.map(({ reason, rows }) => `, ${rows} unscored: ${reason}`)}.
    </p>
  );
}

const ScoredTile = ({ id, row }: { readonly id: string; readonly row: ScoredRow }) => (
  <li>
    <a
      href={scoredImageAddress(id, row.at)}
      target="_blank"
      rel="noreferrer"
      aria-label={`${row.image}, as it is`}
    >
      <span className="picture">
        <img src={scoredImageAddress(id, row.at, 384)} alt="" loading="lazy" decoding="async" />
      </span>
    </a>
    <p>
      <b>{row.value === null ? `unscored: ${row.reason ?? "no score"}` : scoreText(row.value)}</b>
      {row.detail !== null && <small> {row.detail}</small>}
    </p>
    <p className="quiet">{row.text}</p>
    <p className="quiet">{row.image}</p>
  </li>
);

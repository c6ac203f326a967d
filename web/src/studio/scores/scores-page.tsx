import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import type { ScoredMetric, ScoredRow } from "../../../../src/studio/scores/score-api.js";
import { Frame } from "../../shell/frame.js";
import { useKeys } from "../../shell/keys.js";
import { Empty, Failure, Loading } from "../../shell/notices.js";
import { pluralText, scoreText } from "../../shell/numbers.js";
import { leaveOnEscape, useTyped } from "../../shell/use-typed.js";
import { scoredImageAddress, scoredRowsQuery, scoreFileQuery } from "../queries.js";
import { toRuns } from "../to-runs.js";
import type { ScoresSearch } from "./scores-search.js";

/** A file that `score` wrote: its images, the worst by a metric first. */
export function ScoresPage({
  id,
  search,
  onSearch,
}: {
  readonly id: string;
  readonly search: ScoresSearch;
  readonly onSearch: (search: ScoresSearch, isPassing?: boolean) => void;
}) {
  const navigate = useNavigate();
  const finder = useRef<HTMLInputElement>(null);
  const detail = useQuery(scoreFileQuery(id));
  const rows = useInfiniteQuery(scoredRowsQuery(id, search));
  const metrics = detail.data?.metrics ?? [];
  const metric = metrics.find((one) => one.id === search.metric) ?? metrics[0];
  const { order: _, ...inWorst } = search;
  const turn = () => onSearch(search.order === "best" ? inWorst : { ...search, order: "best" });
  const [text, setText] = useTyped(search.text ?? "", (typed) => {
    const { text: _text, ...others } = search;
    onSearch(typed === "" ? others : { ...others, text: typed }, search.text !== undefined);
  });
  useKeys([
    { key: "/", does: "search the texts", run: () => finder.current?.focus() },
    { key: "r", does: "turn the order round", run: turn },
    { key: "n", does: "more images", run: () => void rows.fetchNextPage() },
    { key: "x", does: "take all filters away", run: () => onSearch({}) },
    { key: "u", does: "up: all runs and files", run: () => void navigate({ to: "/" }) },
  ]);
  const total = rows.data?.pages[0]?.total;
  const error = detail.error ?? rows.error;
  return (
    <Frame wide title={detail.data?.name ?? id} crumbs={[toRuns]}>
      {error !== null && <Failure error={error} retry={() => rows.refetch()} />}
      {detail.data === undefined && error === null && <Loading what="the scores" />}
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
                <label>
                  Metric
                  <select
                    value={metric.id}
                    onChange={({ target }) => onSearch({ ...search, metric: target.value })}
                  >
                    {metrics.map((one) => (
                      <option key={one.id} value={one.id}>
                        {one.metric} {one.model}
                      </option>
                    ))}
                  </select>
                </label>
              )}
              <label>
                Order
                <select value={search.order ?? ""} onChange={turn}>
                  <option value="">worst first</option>
                  <option value="best">best first</option>
                </select>
              </label>
              {metric.reasons.length > 0 && (
                <label>
                  Unscored
                  <select
                    value={search.reason ?? ""}
                    onChange={({ target }) => {
                      const { reason: _reason, ...others } = search;
                      onSearch(target.value === "" ? others : { ...others, reason: target.value });
                    }}
                  >
                    <option value="">scored or not</option>
                    <option value="any">all unscored</option>
                    {metric.reasons.map(({ reason, rows: count }) => (
                      <option key={reason} value={reason}>
                        {reason} ({count})
                      </option>
                    ))}
                  </select>
                </label>
              )}
            </form>
          </search>
          <p className="quiet" role="status">
            {total === undefined ? "Reading …" : pluralText(total, "image")}
          </p>
          {total === 0 && (
            <Empty title="No image fits these filters">
              <button type="button" onClick={() => onSearch({})}>
                Take all filters away
              </button>
            </Empty>
          )}
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

import { type ReactNode, useState } from "react";
import type { ItemDetail, ScoreColumn } from "../../../../src/studio/api.js";
import { columnName } from "../../../../src/studio/column-name.js";
import { scoreText } from "../../shell/numbers.js";
import { scoreVerdict } from "../score-verdict.js";
import { RecordFacts } from "./record-facts.js";

/** Every score of an image; each opens to what exactly was asked, and the command that asks it again. */
export function ScoreList({
  run,
  item,
  columns,
}: {
  readonly run: string;
  readonly item: ItemDetail;
  readonly columns: readonly ScoreColumn[];
}) {
  if (item.scores.length === 0) return <p>No metric was asked about it yet.</p>;
  return (
    <>
      <h2>Scores</h2>
      <ul className="score-list">
        {item.scores.map((score) => {
          const column = columns.find(({ id }) => id === score.column);
          const verdict = scoreVerdict(score);
          return (
            <Opened
              key={score.column}
              run={run}
              record={item.keys[score.column]}
              title={
                <>
                  <span className="name">
                    {column === undefined ? score.column : columnName(column, columns)}
                  </span>{" "}
                  <b>
                    {score.value === null ? (score.reason ?? "no score") : scoreText(score.value)}
                  </b>{" "}
                  {column !== undefined && score.value !== null && (
                    <meter
                      aria-label={`${scoreText(score.value)} from ${column.range[0]} to ${column.range[1]}`}
                      min={column.range[0]}
                      max={column.range[1]}
                      value={score.value}
                    />
                  )}{" "}
                  {column !== undefined && (
                    <small>
                      {column.convention !== undefined && `${column.convention}, `}
                      {column.statistic}, {column.range[0]} to {column.range[1]}, {column.direction}{" "}
                      is better
                    </small>
                  )}{" "}
                  {score.margin !== null && (
                    <span className={verdict.look}>
                      {verdict.text}
                      {score.margin !== 0 && ` by ${scoreText(Math.abs(score.margin))}`}
                    </span>
                  )}
                </>
              }
            />
          );
        })}
      </ul>
    </>
  );
}

/** The record is asked for when it is opened. */
function Opened({
  run,
  record,
  title,
}: {
  readonly run: string;
  readonly record: string | undefined;
  readonly title: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{title}</summary>
        {isOpen && record !== undefined && <RecordFacts run={run} record={record} />}
      </details>
    </li>
  );
}

import { Link } from "@tanstack/react-router";
import type { ScoreColumn } from "../../../../src/studio/api.js";
import { againstText } from "../../../../src/studio/column-name.js";
import { countText, scoreText } from "../../shell/numbers.js";
import { Scroll } from "../../shell/scroll.js";

/** The metrics of a run: what each says, of how many images; each leads to its lowest images. */
export function ColumnTable({
  columns,
  run,
}: {
  readonly columns: readonly ScoreColumn[];
  readonly run: string;
}) {
  return (
    <>
      <h2>Metrics</h2>
      <Scroll label="Metrics">
        <table>
          <thead>
            <tr>
              <th>metric</th>
              <th>against</th>
              <th className="number">scored</th>
              <th className="number">unscored</th>
              <th className="number">lowest</th>
              <th className="number">highest</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.id}>
                <th scope="row">
                  <Link
                    to="/runs/$run/gallery"
                    params={{ run }}
                    search={{
                      metric: column.id,
                      sort: column.hasMargin ? "margin" : "score",
                      order: column.direction === "higher" || column.hasMargin ? "up" : "down",
                    }}
                  >
                    {column.metric}
                  </Link>
                  <br />
                  <small>
                    {column.model}, {column.direction} is better
                  </small>
                  {column.unseeing !== undefined && <p role="note">⚠ {column.unseeing}</p>}
                  {column.defect !== undefined && <p role="note">⚠ It {column.defect}.</p>}
                </th>
                <td>{againstText[column.against]}</td>
                <td className="number">{countText(column.scored)}</td>
                <td className="number">{countText(column.unscored)}</td>
                <td className="number">
                  {column.lowest === null ? "–" : scoreText(column.lowest)}
                </td>
                <td className="number">
                  {column.highest === null ? "–" : scoreText(column.highest)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

import type { ItemScore, Pair, ScoreColumn } from "../../../../src/studio/api.js";
import { columnName } from "../../../../src/studio/column-name.js";
import { scorePairText } from "../../../../src/views/number-text.js";
import { Scroll } from "../../shell/scroll.js";
import { scoreVerdict } from "../score-verdict.js";

/** Each metric's scores of both images, and its preference. */
export function PairScores({
  pair,
  columns,
}: {
  readonly pair: Pair;
  readonly columns: readonly ScoreColumn[];
}) {
  const rows = columns.flatMap((column) => {
    const of = (scores: readonly ItemScore[]) => scores.find((one) => one.column === column.id);
    const [first, second] = [of(pair.first.scores), of(pair.second.scores)];
    return first === undefined && second === undefined ? [] : [{ column, first, second }];
  });
  if (rows.length === 0) return <p>No metric was asked about these images yet.</p>;
  const [one, other] = pair.kind === "contrastive" ? ["right", "wrong"] : ["A", "B"];
  return (
    <Scroll label="Scores of both images">
      <table>
        <thead>
          <tr>
            <th>metric</th>
            <th className="number">{one}</th>
            <th className="number">{other}</th>
            <th>verdict</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ column, first, second }) => {
            const [left, right] = scorePairText(shown(first), shown(second), {
              isTie: first?.margin === 0,
            });
            return (
              <tr key={column.id}>
                <th scope="row">{columnName(column, columns)}</th>
                <td className="number">{left}</td>
                <td className="number">{right}</td>
                <td>
                  {first?.failed == null ? (
                    "–"
                  ) : (
                    <span className={`short ${scoreVerdict(first).look}`}>
                      {scoreVerdict(first).text}
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

const shown = (score: ItemScore | undefined) => ({
  value: score?.value ?? null,
  reason: score?.reason ?? "no score",
});

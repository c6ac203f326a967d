import type { ComparedMetric } from "../../../../src/studio/compare/compare-runs.js";
import { percentText } from "../../../../src/views/number-text.js";
import { NumberTable } from "./number-table.js";

/** How often the model of a row beats that of a column, on the prompts that both have. */
export function WinMatrix({
  metric,
  wins,
}: {
  readonly metric: string;
  readonly wins: ComparedMetric["wins"];
}) {
  const models = [...new Set(wins.flatMap(({ a, b }) => [a, b]))].sort();
  const cell = (a: string, b: string) => {
    const straight = wins.find((pair) => pair.a === a && pair.b === b);
    if (straight !== undefined) return percentText(straight.winRate);
    const turned = wins.find((pair) => pair.a === b && pair.b === a)?.winRate;
    if (turned === undefined) return "–";
    const less = (share: number | null) => (share === null ? null : 1 - share);
    const { value, low, high, reason } = turned;
    return percentText({
      ...(reason === undefined ? {} : { reason }),
      value: less(value),
      low: less(high),
      high: less(low),
    });
  };
  return (
    <>
      <p className="quiet">
        Share of shared prompts on which the row's model beats the column's, %; ties count half
      </p>
      <NumberTable
        label={`Win matrix of ${metric}`}
        corner="model"
        headings={models}
        rows={models.map((a) => ({
          name: a,
          cells: models.map((b) => (a === b ? "" : cell(a, b))),
        }))}
      />
    </>
  );
}

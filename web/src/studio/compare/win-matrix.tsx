import { percentText } from "../../../../src/report/text/number-text.js";
import type { ComparedMetric } from "../../../../src/studio/compare/run-comparison.js";
import { Scroll } from "../../shell/scroll.js";

/** How often the model of a row beats that of a column, on the prompts that both have. */
export function WinMatrix({ wins }: { readonly wins: ComparedMetric["wins"] }) {
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
      <Scroll label="Win matrix">
        <table>
          <thead>
            <tr>
              <th scope="col">model</th>
              {models.map((model) => (
                <th key={model} scope="col" className="number">
                  {model}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map((a) => (
              <tr key={a}>
                <th scope="row">{a}</th>
                {models.map((b) => (
                  <td key={b} className="number">
                    {a === b ? "" : cell(a, b)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

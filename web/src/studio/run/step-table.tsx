import type { StepProgress } from "../../../../src/studio/api.js";
import { countText, scoreText } from "../../shell/numbers.js";
import { Scroll } from "../../shell/scroll.js";

/** How far each step is, and why what has no answer has none. */
export function StepTable({ steps }: { readonly steps: readonly StepProgress[] }) {
  const hasCost = steps.some(({ cost }) => cost !== null && cost > 0);
  return (
    <>
      <h2>Steps</h2>
      <Scroll label="Steps">
        <table className="number-table">
          <thead>
            <tr>
              <th>step</th>
              <th className="number">done</th>
              <th className="number">planned</th>
              <th>unscored</th>
              <th className="number">per second</th>
              {hasCost && <th className="number">cost, US$</th>}
              <th>state</th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ step, done, unscored, isFinished, planned, rate, cost }) => (
              <tr key={step}>
                <th scope="row">{step}</th>
                <td className="number">{countText(done)}</td>
                <td className="number">{planned === null ? "–" : countText(planned)}</td>
                <td>
                  {Object.entries(unscored)
                    .map(([reason, count]) => `${countText(count)} ${reason}`)
                    .join(", ") || "0"}
                </td>
                <td className="number">{rate === null ? "–" : scoreText(rate)}</td>
                {hasCost && <td className="number">{cost === null ? "–" : cost.toFixed(2)}</td>}
                <td className="short">{isFinished ? "✓ finished" : "… not finished"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

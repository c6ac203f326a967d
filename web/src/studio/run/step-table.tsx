import type { StepProgress } from "../../../../src/studio/api.js";
import { countText } from "../../shell/numbers.js";
import { Scroll } from "../../shell/scroll.js";

/** How far each step is, and why what has no answer has none. */
export function StepTable({ steps }: { readonly steps: readonly StepProgress[] }) {
  return (
    <>
      <h2>Steps</h2>
      <Scroll label="Steps">
        <table>
          <thead>
            <tr>
              <th>step</th>
              <th className="number">done</th>
              <th>unscored</th>
              <th>state</th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ step, done, unscored, isFinished }) => (
              <tr key={step}>
                <th scope="row">{step}</th>
                <td className="number">{countText(done)}</td>
                <td>
                  {Object.entries(unscored)
                    .map(([reason, count]) => `${countText(count)} ${reason}`)
                    .join(", ") || "0"}
                </td>
                <td>{isFinished ? "✓ finished" : "… not finished"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

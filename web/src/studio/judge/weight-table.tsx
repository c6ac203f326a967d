import { useState } from "react";
import { largestOf } from "../../../../src/core/arrays.js";
import type { JudgeDetail } from "../../../../src/studio/judges/judge-detail.js";
import { fixedText } from "../../../../src/views/number-text.js";
import { pluralText } from "../../shell/numbers.js";
import { Scroll } from "../../shell/scroll.js";

/** Less is not worth a row at first sight. */
const least = 0.005;

/** Each prompt's weight in each group of images, the heaviest first; a prompt opens to its words. */
export function WeightTable({ judge: { weights, prompts } }: { readonly judge: JudgeDetail }) {
  const heaviest = (prompt: number) => largestOf(weights.map((group) => group[prompt] ?? 0));
  const order = [...prompts.keys()].sort((a, b) => heaviest(b) - heaviest(a));
  const [isWhole, setWhole] = useState(false);
  const heavy = order.filter((prompt) => heaviest(prompt) >= least);
  const shown = isWhole ? order : heavy;
  return (
    <>
      <h2>
        {weights.length === 1
          ? "Prompts and their weights"
          : `Prompts and their weights in ${pluralText(weights.length, "group")} of images`}
      </h2>
      <Scroll label="Weights of prompts">
        <table className="weights">
          <thead>
            <tr>
              <th>prompt</th>
              {weights.map((_, group) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: groups are named by their number
                <th key={group} className="number">
                  {weights.length === 1 ? "weight" : `group ${group + 1}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((prompt) => (
              <tr key={prompts[prompt]?.id}>
                <th scope="row">
                  <details>
                    <summary>{prompts[prompt]?.id}</summary>
                    <p className="prompt-words">{prompts[prompt]?.text}</p>
                  </details>
                </th>
                {weights.map((group, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: groups are named by their number
                  <td key={at} className="number weight">
                    <span style={{ opacity: Math.min(1, 0.06 + (group[prompt] ?? 0)) }} />
                    {fixedText(group[prompt] ?? 0, 3)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {heavy.length < order.length && (
        <button type="button" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole
            ? "Only those with weight"
            : `${pluralText(order.length - heavy.length, "more prompt")} with less than ${least}`}
        </button>
      )}
    </>
  );
}

import { metricOf } from "../../analysis/inference/metric-name.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { ConfusionReport, SwapCard } from "../../benchmarks/attribute-confusion/conclusion.js";
import { rankedBySwap } from "../../benchmarks/attribute-confusion/ranked-by-swap.js";
import { pluralText } from "../../views/number-text.js";
import { type Content, type Html, html } from "../pages/html.js";
import { metricCell } from "../text/metric-cell.js";
import { scorePairText } from "../text/score-pair-text.js";
import { outcomeMark } from "./cards.js";
import { picture } from "./shown-picture.js";

/** Most cards that fit the first screen. */
const mostShown = 5;

/** Two images, and who scores the swapped description higher. */
export function swapCards({
  examples,
  selections,
  standing,
  isUnreferenced,
}: ConfusionReport): Html | undefined {
  if (examples.length === 0) return undefined;
  const ranked = rankedBySwap({ selections, standing });
  const compared = [ranked[0]?.id, ranked.at(-1)?.id];
  // The two that the verdict sets against each other are among those that are shown at once.
  const room = mostShown - standing.filter(({ id }) => compared.includes(id)).length;
  const more = standing.filter(({ id }) => !compared.includes(id)).slice(0, room);
  const isShown = (metric: EvaluatedMetric) =>
    compared.includes(metric.id) || more.includes(metric);
  const shown = standing.filter(isShown);
  const others = standing.filter((metric) => !isShown(metric));
  const table = (metrics: readonly EvaluatedMetric[]) => html`<table>
<thead><tr><th scope="col">metric</th>${examples.map((_, at) => html`<th scope="col">image ${at + 1}</th>`)}</tr></thead>
<tbody>
${metrics.map(
  ({
    id,
  }) => html`<tr><th scope="row">${metricCell(metricOf({ metrics: standing }, id))}</th>${examples.map((card) => html`<td>${scoresOf(card, id, isUnreferenced)}</td>`)}</tr>
`,
)}</tbody>
</table>`;
  return html`<article class="card" aria-label="Examples">
<div class="pair">
${examples.map(({ image, text, swapped }, at) =>
  picture(
    image,
    `Image ${at + 1}, made from: ${text}`,
    html`<b>${at + 1}. ${text}</b>swapped: ${swapped}`,
  ),
)}
</div>
${table(shown)}
${
  others.length > 0 &&
  html`<details><summary>${pluralText(others.length, "more metric")}</summary>
${table(others)}</details>
`
}<p class="small">${isUnreferenced ? "Scores of the own and of the swapped description" : "✓ the own description scores higher than the swapped one (scores: own, swapped)"}.</p>
</article>
`;
}

/** Where nobody said what the image shows no score is right or wrong. */
function scoresOf({ scores }: SwapCard, id: string, isUnreferenced: boolean): Content {
  const score = scores.find(({ metric }) => metric === id);
  if (score === undefined) return "–";
  const { original, swapped, outcome } = score;
  const [own, other] = scorePairText(original, swapped, { isTie: outcome === "tie" });
  return html`${!isUnreferenced && outcomeMark(outcome)}<span class="model">${own}, ${other}</span>`;
}

import { metricOf, spokenName } from "../../../analysis/inference/metric-name.js";
import type { EvaluatedMetric } from "../../../analysis/pairs/triplets.js";
import type {
  ConfusionReport,
  Strip,
  StripEntity,
  StripQuestion,
  SwapCard,
} from "../../../benchmarks/attribute-confusion/conclusion.js";
import { rankedBySwap } from "../../../benchmarks/attribute-confusion/swap-selections.js";
import { fixedText, pluralText, probabilityText } from "../../../views/number-text.js";
import { metricCell } from "../../pages/data-table.js";
import { type Content, type Html, html } from "../../pages/html.js";
import { picture } from "../../pages/picture.js";
import { scorePairText } from "../../text/score-pair-text.js";
import { outcomeMark } from "../prototypicality/cards.js";

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
  // The two metrics of the verdict's comparison are always among those shown first.
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

/** Returns a metric's scores of the own and the swapped description, with a tick where the truth is known. */
function scoresOf({ scores }: SwapCard, id: string, isUnreferenced: boolean): Content {
  const score = scores.find(({ metric }) => metric === id);
  if (score === undefined) return "–";
  const { original, swapped, outcome } = score;
  const [own, other] = scorePairText(original, swapped, { isTie: outcome === "tie" });
  return html`${!isUnreferenced && outcomeMark(outcome)}<span class="model">${own}, ${other}</span>`;
}

/** Images as a localised metric judged them: mask, what it looked at, each question and P(yes). */
export function strips(report: ConfusionReport): Html {
  const found = report.strips;
  if (found === undefined || found.strips.length === 0) {
    return html`<p>No metric of this run looks at entities one by one, so there is nothing to show here.</p>`;
  }
  return html`<div class="prose"><p>Images as ${spokenName({ metrics: report.standing }, found.metric)} (${found.strategy}) judged them: for each entity the mask that the localiser gave, the image that was shown for it, and every question with P(yes). <em>Own</em> attributes should be seen (reflection), <em>others'</em> should not (leakage). The images are drawn by the seed, some of each group.</p></div>
${found.strips.map((strip) => stripOf(strip))}`;
}

function stripOf({ key, image, generator, value, reference, group, entities }: Strip): Html {
  const id = `strip-${key.slice(0, 12)}`;
  return html`<article class="card strip" id="${id}" aria-labelledby="${id}-text">
<p class="tags"><span>${group}</span><span>made by ${generator.replace(/@.*$/, "")}</span><span>score ${fixedText(value, 3)}</span>${
    reference !== null && html`<span>reference ${fixedText(reference, 3)}</span>`
  }</p>
<p class="said" id="${id}-text">“${image.text}”</p>
<div class="pair">
${picture(image, `Image made from: ${image.text}`, html`<b>Image</b>`)}
${entities.flatMap(({ entity, mask, overlay, seen }) =>
  overlay === undefined || seen === undefined
    ? [html`<p class="small">${entity}: ${withoutMask(mask)}</p>`]
    : [
        picture(overlay, `Where the localiser found ${entity}`, html`<b>Mask</b>${entity}`),
        picture(seen, `What was shown of ${entity}`, html`<b>Looked at</b>${entity}`),
      ],
)}
</div>
<div class="scroll" role="region" aria-label="Questions about ${image.text}" tabindex="0"><table>
<thead><tr><th scope="col">entity</th><th scope="col">attribute</th><th scope="col">question</th><th scope="col" class="number">P(yes)</th><th scope="col">answer</th></tr></thead>
<tbody>
${entities.flatMap((entity) => entity.questions.map((question) => questionRow(entity, question)))}</tbody>
</table></div>
<p class="small">score <code>${key}</code></p>
</article>
`;
}

const withoutMask = (mask: StripEntity["mask"]): string => {
  if (mask === "none") return "not found, so the whole image was shown";
  return mask === "not asked" ? "the whole image was shown" : "its mask is not in the run's trace";
};

function questionRow(
  { entity }: StripEntity,
  { kind, attribute, question, probability, saysYes, reference }: StripQuestion,
): Html {
  const answer = saysYes ? "yes" : "no";
  const said =
    reference === undefined
      ? html`${answer}`
      : reference === saysYes
        ? html`<span class="right">✓ ${answer}</span>`
        : html`<span class="wrong">✗ ${answer}</span>`;
  return html`<tr><th scope="row">${entity}</th><td>${attribute} <span class="open">${kind === "reflection" ? "own" : "other's"}</span></td><td>${question}</td><td class="number">${probabilityText(probability)}</td><td>${said}</td></tr>
`;
}

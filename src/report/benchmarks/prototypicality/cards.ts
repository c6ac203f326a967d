import { metricOf } from "../../../analysis/inference/metric-name.js";
import type { CardImage } from "../../../benchmarks/disagreement-gallery.js";
import {
  type CardGroup,
  cardGroups,
  type PairOutcome,
} from "../../../benchmarks/prototypicality/choose-cards.js";
import type {
  CardScore,
  PairCard,
  PrototypicalityReport,
} from "../../../benchmarks/prototypicality/conclusion.js";
import { pluralText } from "../../../views/number-text.js";
import { metricCell } from "../../pages/data-table.js";
import { type Content, type Html, html } from "../../pages/html.js";
import { picture } from "../../pages/picture.js";
import { scorePairText } from "../../text/score-pair-text.js";

const groupTitles: Readonly<Record<CardGroup, string>> = {
  disagree: "The metrics disagree",
  "all-fail": "Every metric fails",
  "all-right": "Every metric is right",
};

/**
 * Pairs to look at, as the paper's figure 1 shows them: triplets by outcome, then controls.
 *
 * @param shown stands elsewhere on the page
 */
export function cards(report: PrototypicalityReport, shown?: PairCard): Html {
  const rest = report.cards.filter((card) => card !== shown);
  const triplets = rest.filter(({ comparison }) => comparison === "contrastive");
  const controls = rest.filter(({ comparison }) => comparison.startsWith("control-"));
  const reversed = rest.filter(({ comparison }) => comparison === "reversed");
  const groups = cardGroups.flatMap((group) => {
    const ofGroup = triplets.filter((card) => card.group === group);
    return ofGroup.length === 0 ? [] : [{ title: groupTitles[group], cards: ofGroup }];
  });
  if (controls.length > 0)
    groups.push({ title: "Controls: neither image is the more typical", cards: controls });
  if (reversed.length > 0) {
    groups.push({ title: "Reversed conflict: the typical image is right", cards: reversed });
  }
  return html`<p class="prose">${cardRule(report)}${shown && " One of them stands at the top of this page."}</p>
${groups.map(
  ({ title, cards: list }) => html`<h3>${title}</h3>
<div class="cards">
${list.map((card) => pairCard(card, report))}</div>
`,
)}`;
}

const cardRule = ({ drawnTriplets, provenance: { seed } }: PrototypicalityReport): string =>
  `${drawnTriplets.cards} of ${pluralText(drawnTriplets.of, "triplet")}, drawn with seed ${seed} by a rule that looks ` +
  "at nothing but who ranked rightly: from each group below one pair of each domain and error type in " +
  "turn, at most one of a prompt. The controls and reversed conflicts are drawn alike. The cards are examples; their " +
  "shares say nothing about rates.";

const comparisonTags = {
  "control-atypical": "both atypical",
  "control-typical": "both typical",
  reversed: "typical and right",
} as const;

const wrongTitles: Readonly<Partial<Record<PairCard["comparison"], string>>> = {
  contrastive: "Typical but wrong",
  reversed: "Atypical and wrong",
};

/** Both images of a pair, and who ranked them rightly. */
export function pairCard(card: PairCard, report: PrototypicalityReport): Html {
  const { prompt, comparison, domain, knob, right, wrong, text, correct, adversarial } = card;
  const id = `${comparison}-${correct.key.slice(0, 12)}-${adversarial.key.slice(0, 12)}`;
  const knobName = knob.replaceAll("_", " ");
  return html`<article class="card" id="${id}" aria-labelledby="${id}-text">
<p class="tags"><span>${domain}</span><span>${knobName}: ${knobChange(card)}</span>${
    comparison !== "contrastive" && html`<span>${comparisonTags[comparison]}</span>`
  }</p>
<p class="said" id="${id}-text">“${text}”</p>
<div class="pair">
${cardPicture(correct, "Correct", `${card.members[0]}; ${knobState(card, right)}`)}
${cardPicture(adversarial, wrongTitles[comparison] ?? "Wrong", `${card.members[1]}; ${knobState(card, wrong)}`)}
</div>
<table>
<thead><tr><th scope="col">metric</th><th scope="col" class="number">correct</th><th scope="col" class="number">wrong</th><th scope="col">ranking</th></tr></thead>
<tbody>
${card.scores.map((score) => {
  const [first, second] = scorePairText(score.correct, score.adversarial, {
    isTie: score.outcome === "tie",
  });
  return html`<tr><th scope="row">${metricCell(metricOf(report, score.metric))}</th><td class="number">${first}</td><td class="number">${second}</td><td>${outcomeMark(score.outcome)}</td></tr>
`;
})}</tbody>
</table>
<details><summary>Prompts and keys</summary>
<dl class="facts">
<dt>correct</dt><dd>${correct.text}</dd>
<dt>wrong</dt><dd>${adversarial.text}</dd>
<dt>prompt</dt><dd><code>${prompt}</code></dd>
<dt>images</dt><dd><code>${correct.key}</code> <code>${adversarial.key}</code></dd>
${card.scores.map(
  (
    score,
  ) => html`<dt>${metricOf(report, score.metric).metric}</dt><dd>${keyOf(score.correct)} ${keyOf(score.adversarial)}</dd>
`,
)}</dl>
</details>
</article>
`;
}

const cardPicture = (image: CardImage, title: string, what: string) =>
  picture(image, `Image made from: ${image.text}`, html`<b>${title}</b>${what}`);

const keyOf = ({ key }: CardScore): Content => key !== undefined && html`<code>${key}</code>`;

/** Who ranks rightly has a tick: never told by colour alone. */
export function outcomeMark(outcome: PairOutcome): Html {
  if (outcome === "right") return html`<span class="right">✓ right</span>`;
  if (outcome === "wrong") return html`<span class="wrong">✗ wrong</span>`;
  if (outcome === "tie") return html`<span class="wrong">✗ tie</span>`;
  return html`<span class="open">– unscored</span>`;
}

/** "flower: two"; a side is the subject's, seen from the extra: "left of the bench". */
const knobState = ({ knob, extra }: PairCard, value: string): string =>
  knob === "layout_relation" ? `${value} of the ${extra}` : `${extra}: ${value}`;

const knobChange = ({ knob, extra, right, wrong }: PairCard): string =>
  knob === "layout_relation"
    ? `${right} → ${wrong} of the ${extra}`
    : `${extra}, ${right} → ${wrong}`;

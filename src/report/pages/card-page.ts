import type { TrustCard } from "../../analysis/trust-card/trust-card.js";
import type { CardFigure, FigureEstimate } from "../../analysis/trust-card/trust-card-figure.js";
import { listText } from "../../core/list-text.js";
import {
  besideFigure,
  countsText,
  figureText,
  measuredFigures,
  methodsText,
  otherFigures,
  statusText,
} from "../text/card-text.js";
import { dataTable } from "../text/data-table.js";
import { countText } from "../text/number-text.js";
import { figureSpark } from "./card-spark.js";
import { type Html, html } from "./html.js";
import { page } from "./page.js";

/** Trust cards as one HTML file, a section for each metric. It draws nothing that needs a plot library. */
export function cardPage(
  cards: readonly TrustCard[],
  { title, command }: { readonly title: string; readonly command: string },
): string {
  const [only] = cards.length === 1 ? cards : [];
  return page({
    title,
    opening: html`<h1>${title}</h1>
${cards.map(({ verdict }) => html`<p class="lead">${verdict}</p>\n`)}
<p class="small">✓ holds: the interval lies wholly where it is expected. ✗ fails: wholly elsewhere. ? undecided: on both sides, or it is of fewer than six prompts. ${methodsText(cards)}</p>`,
    sections: cards.map((card, at) => ({
      id: `card-${at + 1}`,
      title: only === undefined ? card.subject.name : "What was measured",
      body: cardBody(card),
    })),
    closing: html`<p>Made by: <code>${command}</code> (in a clone: <code>./bin/touchstone</code>)</p>`,
  });
}

function cardBody(card: TrustCard): Html {
  const others = otherFigures(card);
  return html`${dataTable({
    name: `Trust card of ${card.subject.name}`,
    caption: html`<b>${card.subject.name}.</b> From ${card.subject.source}: ${countText(card.n)} rows${
      card.unscored > 0 && ` and ${countText(card.unscored)} unscored`
    }. The line is the 95 % interval, dashed what is expected.`,
    columns: [
      { title: "Figure" },
      { title: "Says" },
      { title: "Value [95 % interval]" },
      { title: "Expected" },
      { title: "Of" },
    ],
    rows: measuredFigures(card).map((figure) => ({
      heading: html`<span class="told">${figure.title}<span class="model">${figure.sentence}</span></span>`,
      cells: [
        html`<span class="${lookOf(figure)}">${statusText[figure.status]}</span>${figureSpark(figure)}`,
        html`<span class="short">${figure.estimate && figureText(figure.estimate)}</span><span class="model">${figure.estimate?.name}</span>${besideFigure(figure).map(({ estimate }) => besideOf(estimate))}`,
        html`<span class="short">${figure.expectation?.text ?? "–"}</span>${figure.judgedBy !== undefined && html`<span class="model">${figure.further[figure.judgedBy]?.name}</span>`}`,
        html`<span class="${figure.unscored === 0 && "short"}">${countsText(figure)}</span>`,
      ],
      rule: true,
    })),
  })}
${
  card.warnings.length > 0 &&
  html`<ul class="also">${card.warnings.map((warning) => html`<li>${warning}</li>`)}</ul>
`
}${
  others.length > 0 &&
  html`<h3>Not on this card</h3>
<ul>${others.map(({ titles, status, sentence }) => html`<li><b>${listText(titles)}</b>, ${statusText[status].replace("– ", "")}: ${sentence}</li>`)}</ul>`
}
<details class="more"><summary>More numbers, and the rows behind them</summary>
${measuredFigures(card).map(moreOf)}
</details>`;
}

const besideOf = (estimate: FigureEstimate) =>
  html`<span class="short">${figureText(estimate)}</span><span class="model">${estimate.name}</span>`;

const lookOf = ({ status }: CardFigure) =>
  status === "holds" ? "right" : status === "fails" ? "wrong" : "open";

function moreOf({ title, further, intervals, behind }: CardFigure): Html {
  const facts = Object.values(further).map(
    (estimate) => html`<dt>${estimate.name}</dt><dd>${figureText(estimate)}</dd>`,
  );
  return html`<h4>${title}</h4>
<dl class="facts">${facts}<dt>intervals</dt><dd>${intervals}</dd><dt>rows</dt><dd>${countText(behind.rows)} of ${behind.source}, such as ${behind.examples.join(", ")}</dd></dl>
`;
}

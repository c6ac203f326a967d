import { type MakingOfImages, makingDifferences } from "../../analysis/comparison/image-making.js";
import type { TrustCard } from "../../analysis/trust-card/trust-card.js";
import type { CardFigure, FigureEstimate } from "../../analysis/trust-card/trust-card-figure.js";
import {
  besideFigure,
  cardsVerdict,
  countsText,
  figureText,
  judgeTables,
  measuredFigures,
  methodsText,
  notesOf,
  otherFigures,
  statusText,
} from "../../conclusions/card/view.js";
import { listText } from "../../core/phrases.js";
import { palette } from "../../views/figures/palette.js";
import { makingTables } from "../../views/making-table.js";
import { countText } from "../../views/number-text.js";
import type { Card } from "../../views/report.js";
import { alsoKnown, sentencesOf } from "./conclusion-page.js";
import { type Content, type Html, html, trusted } from "./html.js";
import { artCredit, cardOf, labNotice } from "./html-parts.js";
import { dataTable, tableOf } from "./html-table.js";
import { page } from "./page.js";
import { sparkShape, sparkSize } from "./spark-shape.js";

/**
 * Trust cards as one HTML file: on the first screen what each metric's figures say, then a folded section
 * for each metric with all of it. It draws nothing that needs a plot library.
 *
 * @param example what is looked at beside them, such as a pair of images
 */
export async function cardPage(
  cards: readonly TrustCard[],
  {
    title,
    command,
    example,
    making = [],
    isFromLab = false,
  }: {
    readonly title: string;
    readonly command: string;
    readonly example?: Card | undefined;
    /** How each generator made its images. */
    readonly making?: readonly MakingOfImages[];
    /** Whether the lab drew its pictures. */
    readonly isFromLab?: boolean;
  },
): Promise<string> {
  const [only] = cards.length === 1 ? cards : [];
  const [verdict = "", ...others] =
    only === undefined
      ? [cardsVerdict(cards), ...cards.map((card) => card.verdict)]
      : sentencesOf(only.verdict);
  return page({
    title,
    first: {
      verdict,
      notice: isFromLab && labNotice,
      figure: scoreboard(cards),
      example: example && (await cardOf(example)),
    },
    sections: [
      {
        id: "also",
        title: "What else is known",
        body: alsoKnown({
          findings: [...others, ...notesOf(cards)],
          caveats: [...makingDifferences(making), ...warningsOf(cards)],
          method: methodsText(cards),
        }),
      },
      ...cards.map((card, at) => ({
        id: `card-${at + 1}`,
        title: only === undefined ? card.subject.name : "Every figure, and what was not measured",
        body: cardBody(card),
        isFolded: true,
      })),
      ...makingTables(making).map((table) => ({
        id: "making",
        title: table.title,
        body: tableOf(table, { look: "titled" }),
        isFolded: true,
      })),
    ],
    closing: html`${isFromLab && artCredit}<p>Made by: <code>${command}</code> (in a clone: <code>./bin/touchstone</code>)</p>`,
  });
}

/** Caveats of the cards; what all share is said once. */
const warningsOf = (cards: readonly TrustCard[]): string[] => [
  ...new Set(
    cards.flatMap(({ warnings, subject }) =>
      warnings.map((warning) =>
        cards.every((card) => card.warnings.includes(warning))
          ? warning
          : `${subject.name}: ${warning}`,
      ),
    ),
  ),
];

/** Most metrics whose columns fit beside a pair of images at full width. */
const mostWide = 3;

/** Every measured figure of every card: what it says, where it lies, its value. */
function scoreboard(cards: readonly TrustCard[]): Html {
  const titles = [
    ...new Set(cards.flatMap((card) => measuredFigures(card).map((figure) => figure.title))),
  ];
  const [only] = cards.length === 1 ? cards : [];
  const name = "What each figure says";
  return html`<figure class="${cards.length > mostWide ? "scoreboard many" : "scoreboard"}">
${dataTable({
  name,
  caption: html`<b>${name}.</b> ✓ passes: the interval lies wholly where it is expected. ✗ fails: wholly elsewhere. ? undecided: on both sides, or it is of fewer than six prompts. The line is the 95 % interval, dashed what is expected.`,
  columns: [
    { title: "figure" },
    ...(only === undefined
      ? cards.map(({ subject }) => ({ title: subject.name }))
      : [{ title: "result" }, { title: "value [95 % interval]" }, { title: "expected" }]),
  ],
  rows: titles.map((title) => ({
    heading: title,
    rule: true,
    cells: cards.flatMap((card): Content[] => {
      const figure = measuredFigures(card).find((one) => one.title === title);
      if (figure === undefined)
        return only === undefined ? [html`${onNarrow(card.subject.name)}–`] : ["–"];
      const says = html`<span class="says"><span class="${lookOf(figure)}">${statusText[figure.status]}</span>${figureSpark(figure)}</span>`;
      const value = figure.estimate && figureText(figure.estimate);
      return only === undefined
        ? [html`${onNarrow(card.subject.name)}${says}<span class="model">${value}</span>`]
        : [
            says,
            html`<span class="short">${value}</span>`,
            html`${onNarrow("expected")}${figure.expectation?.text ?? "–"}`,
          ];
    }),
  })),
})}</figure>
`;
}

/** A telephone shows no headings: there each cell says what it is of. */
const onNarrow = (heading: string) =>
  html`<small class="whose" aria-hidden="true">${heading} </small>`;

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
        html`${figure.expectation?.text ?? "–"}${figure.judgedBy !== undefined && html`<span class="model">${figure.further[figure.judgedBy]?.name}</span>`}`,
        html`<span class="${figure.unscored === 0 && "short"}">${countsText(figure)}</span>`,
      ],
      rule: true,
    })),
  })}
${
  others.length > 0 &&
  html`<h3>Not on this card</h3>
<ul>${others.map(({ titles, status, sentence }) => html`<li><b>${listText(titles)}</b>, ${statusText[status].replace("– ", "")}: ${sentence}</li>`)}</ul>`
}
${judgeTables(card).map((table) => tableOf(table, { look: "titled" }))}
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

const { width, height, edge, middle } = sparkSize;

const colours = { holds: palette.green, fails: palette.vermilion } as const;

/**
 * The interval that a figure is judged by as a small picture: a line from low to high, a dot at the value (a circle where
 * it holds, a square where it fails, a ring else), and a dashed line at each end of what is expected. Its axis is
 * the unit's: shares from 0 to 1, correlations and differences around 0.
 */
function figureSpark(figure: CardFigure): Html | false {
  const { status } = figure;
  const shape = sparkShape(figure);
  if (shape === undefined) return false;
  const { value, low, high, ends } = shape;
  const colour = status === "holds" || status === "fails" ? colours[status] : palette.muted;
  const mark =
    status === "fails"
      ? `<rect x="${value - 4}" y="${middle - 4}" width="8" height="8" fill="${colour}"/>`
      : `<circle cx="${value}" cy="${middle}" r="4" fill="${status === "holds" ? colour : palette.paper}" stroke="${colour}" stroke-width="1.6"/>`;
  return html`<span class="plot spark">${trusted(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" aria-hidden="true">` +
      `<line x1="${edge}" x2="${width - edge}" y1="${middle}" y2="${middle}" stroke="${palette.grid}" stroke-width="1.5"/>` +
      ends
        .map(
          (end) =>
            `<line x1="${end}" x2="${end}" y1="1" y2="${height - 1}" stroke="${palette.muted}" stroke-dasharray="2 2"/>`,
        )
        .join("") +
      `<line x1="${low}" x2="${high}" y1="${middle}" y2="${middle}" stroke="${colour}" stroke-width="2.4"/>${mark}</svg>`,
  )}</span>`;
}

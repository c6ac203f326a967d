import type { TrustCard } from "../../../analysis/trust-card/trust-card.js";
import {
  besideFigure,
  countsText,
  figureText,
  measuredFigures,
  methodsText,
  notesOf,
  otherFigures,
  statusText,
} from "../../../conclusions/card/view.js";
import { listText } from "../../../core/phrases.js";
import { printable } from "../../../views/printable.js";
import type { Style } from "../../terminal/style.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

/** Cards on a terminal: the verdict, a line for each figure, and what is missing. */
export function cardText(cards: readonly TrustCard[], style: Style): string {
  const { width } = style;
  return [
    ...cards.map((card) => oneCard(card, style)),
    style.dim(wrap(printable(methodsText(cards)), width)),
  ].join("\n\n");
}

function oneCard(card: TrustCard, style: Style): string {
  const { width } = style;
  const others = missingLines(card).map((line) =>
    wrap(printable(line), width - 2).replaceAll("\n", "\n  "),
  );
  return [
    style.bold(wrap(printable(card.verdict), width)),
    table(
      [
        ...[
          { title: "figure" },
          { title: "says" },
          { title: "value [95 % interval]", align: "right" as const },
        ],
        ...[{ title: "expected" }, { title: "of" }],
      ],
      measuredFigures(card).flatMap((figure) => [
        [
          figure.title,
          statusText[figure.status],
          figure.estimate === undefined ? "" : figureText(figure.estimate),
          figure.judgedBy === undefined ? (figure.expectation?.text ?? "") : "",
          countsText(figure),
        ],
        ...besideFigure(figure).map(({ estimate, isJudged }) => [
          `  ${estimate.name}`,
          "",
          figureText(estimate),
          isJudged ? (figure.expectation?.text ?? "") : "",
        ]),
      ]),
      width,
    ),
    ...(others.length === 0 ? [] : [others.join("\n")]),
    ...notesOf([card]).map((note) => wrap(printable(note), width)),
    ...card.warnings.map((warning) => wrap(`Caveat: ${printable(warning)}`, width)),
  ].join("\n\n");
}

/** A line for what was not measured and one for what can't be; each figure's reason stands on the page. */
function missingLines(card: TrustCard): string[] {
  const others = otherFigures(card);
  return [...new Set(others.map(({ status }) => status))].map((status) => {
    const alike = others.filter((one) => one.status === status);
    const [only] = alike;
    const why = alike.length === 1 && only ? only.sentence : "--out card.html says why, for each.";
    return `${statusText[status]}: ${listText(alike.flatMap(({ titles }) => titles))}. ${why}`;
  });
}

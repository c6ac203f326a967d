import {
  printableConclusion,
  type ReadableConclusion,
  type TextTable,
} from "../../report/text/text-table.js";
import type { Style } from "../terminal/style.js";
import { notShownLine, tableLines } from "../terminal/table.js";
import { wrap } from "../terminal/wrap.js";

/** A conclusion as a terminal shows it: the verdict first, tables, then the caveats. */
export function conclusionText(conclusion: ReadableConclusion, style: Style): string {
  const { width } = style;
  const { verdict, findings, tables, warnings, method } = printableConclusion(conclusion);
  const shown = tables.map((each) =>
    [style.bold(each.title), tableText(each, width), style.dim(wrap(each.note, width))].join("\n"),
  );
  const listed = (sentences: readonly string[]) =>
    sentences.map((sentence) => wrap(`- ${sentence}`, width - 2).replaceAll("\n", "\n  "));
  const caveats = listed(warnings);
  return [
    style.bold(wrap(verdict, width)),
    ...(findings.length === 0 ? [] : [listed(findings).join("\n")]),
    ...shown,
    ...(caveats.length === 0 ? [] : [[style.yellow("Caveats"), ...caveats].join("\n")]),
    wrap(method, width),
  ].join("\n\n");
}

/** The first column's names each on a line of its own, above its rows: they are long, none is cut. */
function tableText({ columns, rows }: TextTable, width: number): string {
  const body = rows.map(([, second = "", ...cells]) => [`  ${second}`, ...cells]);
  const lines = tableLines(columns.slice(1), body, width);
  const named = rows.flatMap(([first = ""], at) => [
    ...(first === "" ? [] : [wrap(first, width)]),
    ...(lines.rows[at] ?? []),
  ]);
  return [...lines.head, ...named, ...notShownLine(lines, width)].join("\n");
}

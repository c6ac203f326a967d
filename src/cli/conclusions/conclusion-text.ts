import { listText } from "../../core/phrases.js";
import { pluralText } from "../../views/number-text.js";
import { type PrintedView, printed } from "../../views/printed.js";
import type { TextTable } from "../../views/text-table.js";
import type { View } from "../../views/view.js";
import type { Style } from "../terminal/style.js";
import { notShownLine, tableLines } from "../terminal/terminal-table.js";
import { wrap } from "../terminal/wrap.js";

/** How many caveats stand in the short form. */
const fewCaveats = 3;

/**
 * A conclusion as a terminal shows it: the verdict first, the first table, the first caveats, and what
 * more there is. With `details` (the default) all findings, tables, caveats, notes and the method.
 *
 * @param opening stands below the verdict in place of the first table; findings then always follow it, as a single one does
 */
export function conclusionText(
  view: View,
  {
    style,
    details = true,
    opening,
  }: { readonly style: Style; readonly details?: boolean; readonly opening?: string },
): string {
  const { width } = style;
  const { verdict, findings, tables, caveats, method } = printed(view);
  const headline = tables.filter(
    ({ isHeadline }, at) => details || isHeadline || (at === 0 && opening === undefined),
  );
  const shown = headline.map((each) =>
    [
      style.bold(each.title),
      tableText(each, width),
      ...(details ? [style.dim(wrap(each.note, width))] : []),
    ].join("\n"),
  );
  const listed = (sentences: readonly string[]) =>
    sentences.map((sentence) => wrap(`- ${sentence}`, width - 2).replaceAll("\n", "\n  "));
  const shownCaveats = listed(details ? caveats : caveats.slice(0, fewCaveats));
  const showsFindings = details || opening !== undefined || findings.length === 1;
  const more = details
    ? ""
    : moreText({
        findings: showsFindings ? [] : findings,
        tables: tables.slice(headline.length),
        caveats,
      });
  return [
    style.bold(wrap(verdict, width)),
    ...(opening === undefined ? [] : [opening]),
    ...(showsFindings && findings.length > 0 ? [listed(findings).join("\n")] : []),
    ...shown,
    ...(shownCaveats.length === 0 ? [] : [[style.yellow("Caveats"), ...shownCaveats].join("\n")]),
    wrap(method, width),
    ...(more === "" ? [] : [style.dim(wrap(more, width))]),
  ].join("\n\n");
}

/** @example "With --details: 2 more tables, 1 more caveat and notes on the columns." */
function moreText({
  findings,
  tables,
  caveats,
}: Pick<PrintedView, "findings" | "tables" | "caveats">): string {
  const counted = [
    [findings.length, "more finding"],
    [tables.length, "more table"],
    [Math.max(0, caveats.length - fewCaveats), "more caveat"],
  ] as const;
  const parts = counted.flatMap(([count, noun]) => (count === 0 ? [] : [pluralText(count, noun)]));
  return `With --details: ${listText([...parts, "notes on the columns"])}.`;
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

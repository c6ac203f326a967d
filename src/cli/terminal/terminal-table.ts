import { largestOf } from "../../core/arrays.js";
import { listText } from "../../core/phrases.js";
import { briefBoundNote, pluralText } from "../../views/number-text.js";
import { type PrintedView, printed, printedTable, type TextTable } from "../../views/printed.js";
import { shortApart } from "../../views/short-names.js";
import type { View, ViewTable } from "../../views/view.js";
import type { Style } from "./style.js";
import { displayWidth, wordsOf, wrap } from "./wrap.js";

export interface Column {
  readonly title: string;
  /** Numbers stand to the right. */
  readonly align?: "left" | "right";
  /** Is shown however narrow the terminal is, as the first column is. */
  readonly isEssential?: boolean;
}

/** A table as lines, so that others may stand between its rows. */
interface TableLines {
  /** Titles, and the rule below them. */
  readonly head: readonly string[];
  /** The lines of each row: words that need more than one wrap. */
  readonly rows: readonly (readonly string[])[];
  /** The titles of columns that found no room. */
  readonly notShown: readonly string[];
}

const gap = "  ";
/** A name is shortened to this width, in columns of the terminal, before a column of numbers is left out. */
const leastName = 24;

/**
 * Rows under titles, aligned, at most `width` columns of a terminal wide: where they are wider, words
 * wrap at spaces, then long names of the first column are shortened in the middle, then columns are left
 * out, the last first, and named below. No number is cut.
 *
 * @example table([{ title: "metric" }, { title: "n", align: "right" }], [["clip-score", "900"]])
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const lines = tableLines(columns, rows, width);
  return [...lines.head, ...lines.rows.flat(), ...notShownLine(lines, width)].join("\n");
}

/** The rows of a view's table, each cell printed by the kind of its column. */
export function viewTable(shown: Omit<ViewTable, "title" | "note">, width: number): string {
  const { columns, rows } = printedTable({ title: "", ...shown });
  return table(columns, rows, width);
}

/** Names the columns that a wider terminal shows. */
const notShownLine = ({ notShown }: TableLines, width: number): string[] =>
  notShown.length === 0
    ? []
    : wrap(
        `Not shown, the terminal is too narrow: ${notShown.map((title) => `"${title}"`).join(", ")}. A wider one shows them; --json has all.`,
        width,
      ).split("\n");

function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): TableLines {
  const clean = withRoom(
    columns,
    rows.map((row) => row.map((cell) => cell.replace(controls, " "))),
    width,
  );
  const cells = columns.map((_, at) => clean.map((row) => row[at] ?? ""));
  const widths = columns.map(({ title }, at) => longest([title, ...(cells[at] ?? [])]));
  const least = leastWidths(columns, clean);
  const places = columns.map((_, at) => at);
  let kept = places;
  for (const at of places.slice(1).reverse()) {
    if (sum(kept.map((place) => least[place] ?? 0)) <= width) break;
    if (columns[at]?.isEssential !== true) kept = kept.filter((place) => place !== at);
  }
  const shown = kept.flatMap((at) => columns[at] ?? []);
  const used = kept.map((at) => widths[at] ?? 0);
  for (let over = sum(used) - width; over > 0; over = sum(used) - width) {
    const spare = used.map((own, at) => own - (least[kept[at] ?? 0] ?? 0));
    const widest = spare.reduce(
      (best, own, at) => (own > 0 && (used[at] ?? 0) > (used[best] ?? -1) ? at : best),
      -1,
    );
    if (widest < 0) break;
    used[widest] = (used[widest] ?? 0) - 1;
  }
  const linesOf = (texts: readonly string[]): string[] => {
    const wrapped = kept.map((place, at) => wrapCell(texts[place] ?? "", used[at] ?? 0));
    const height = largestOf(wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      shown
        .map(({ align }, at) => {
          const text = wrapped[at]?.[line] ?? "";
          const space = " ".repeat(Math.max(0, (used[at] ?? 0) - displayWidth(text)));
          return align === "right" ? space + text : text + space;
        })
        .join(gap)
        .trimEnd(),
    );
  };
  const rule = used.map((each) => "-".repeat(each)).join(gap);
  return {
    head: [...linesOf(columns.map(({ title }) => title)), rule],
    rows: clean.map(linesOf),
    notShown: columns.filter((column) => !shown.includes(column)).map(({ title }) => title),
  };
}

const longest = (texts: readonly string[]) => Math.max(0, largestOf(texts.map(displayWidth)));
const wordWidth = (text: string) => indentOf(text).length + longest(wordsOf(text.trimStart()));
const sum = (parts: readonly number[]) =>
  parts.reduce((total, part) => total + part, gap.length * (parts.length - 1));

/** Words wrap at spaces, and titles; a number in two lines would be two. */
const leastWidths = (columns: readonly Column[], rows: readonly (readonly string[])[]) =>
  columns.map(({ title, align }, at) =>
    Math.max(
      wordWidth(title),
      largestOf(rows.map((row) => (align === "right" ? displayWidth : wordWidth)(row[at] ?? ""))),
    ),
  );

/** The rows, with names of the first column shortened where other columns would find no room. */
function withRoom(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly (readonly string[])[] {
  const [first = 0, ...others] = leastWidths(columns, rows);
  if (columns[0]?.align === "right" || sum([first, ...others]) <= width) return rows;
  const room = Math.max(leastName, width - sum([0, ...others]));
  const names = [
    ...new Set(
      rows.flatMap(([cell = ""]) => {
        const space = room - indentOf(cell).length;
        return wordsOf(cell.trimStart()).filter((word) => displayWidth(word) > space);
      }),
    ),
  ];
  const indent = largestOf(rows.map(([cell = ""]) => indentOf(cell).length));
  const starts = names.map((name) => sharedStart(name, names));
  const ends = names.map((name, at) => name.slice(starts[at]));
  const isApart = new Set(ends).size === names.length;
  const short = shortApart(isApart ? ends : names, (name) => displayWidth(name) < room - indent);
  const shortOf = new Map(
    names.map((name, at) => [name, `${isApart && starts[at] ? "…" : ""}${short[at] ?? name}`]),
  );
  return rows.map(([cell = "", ...rest]) => [
    indentOf(cell) +
      wordsOf(cell.trimStart())
        .map((word) => shortOf.get(word) ?? word)
        .join(" "),
    ...rest,
  ]);
}

/** Length of the longest beginning that the name shares with another name, cut at the end of a part. */
function sharedStart(name: string, names: readonly string[]): number {
  const shared = names.map((other) => {
    let same = 0;
    while (other !== name && same < name.length && other[same] === name[same]) same++;
    return same;
  });
  return name.slice(0, largestOf(shared)).search(/[^-/:@]*$/);
}

/** A line end, a cursor movement, a colour or another direction of writing would break the table. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be found.
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const indentOf = (text: string) => /^ */.exec(text)?.[0] ?? "";

function wrapCell(cell: string, width: number): string[] {
  if (displayWidth(cell) <= width) return [cell];
  const indent = indentOf(cell);
  const lines: string[] = [];
  for (const word of wordsOf(cell.trimStart()).map((each) => indent + each)) {
    const last = lines.at(-1);
    if (last === undefined || displayWidth(`${last} ${word.trimStart()}`) > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word.trimStart()}`;
  }
  return lines;
}

/** How many caveats stand in the short form. */
const fewCaveats = 3;

/**
 * A conclusion as a terminal shows it: the verdict first, the first table, the first caveats, and what
 * more there is. `printed` has made cells texts; here they are aligned. With `details` (the default) all findings, tables, caveats, notes and the method.
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
    ...(method === "" ? [] : [wrap(method + briefBoundNote(shown.join()), width)]),
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

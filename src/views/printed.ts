import type { Estimate } from "../stats/estimate.js";
import { countText, estimateText, fixedText, percentText, probabilityText } from "./number-text.js";
import { printable, printableLines } from "./printable.js";
import type { TextColumn, TextTable } from "./text-table.js";
import {
  type Cell,
  plainText,
  type Range,
  type View,
  type ViewColumn,
  type ViewPictures,
  type ViewTable,
} from "./view.js";

/** A view in words, with what would harm a terminal or mislead a reader shown in the open. */
export interface PrintedView {
  readonly verdict: string;
  readonly findings: readonly string[];
  readonly tables: readonly TextTable[];
  readonly caveats: readonly string[];
  readonly method: string;
}

/** Prints what a view holds. */
export function printed({ verdict, findings = [], tables, caveats, method }: View): PrintedView {
  return {
    verdict: printableLines(verdict),
    findings: findings.map(printableLines),
    tables: tables.map((table) => {
      const { title, columns, rows, note, ...rest } = printedTable(table);
      return {
        ...rest,
        title: printable(title),
        columns: columns.map((one) => ({ ...one, title: printable(one.title) })),
        rows: rows.map((row) => row.map(printable)),
        note: printableLines(note),
      };
    }),
    caveats: caveats.map(printableLines),
    method: printableLines(method),
  };
}

/** Prints a table's cells, each by the kind of its column. */
export function printedTable({ columns, rows, note = "", ...rest }: ViewTable): TextTable {
  return {
    ...rest,
    note,
    columns: columns.map(
      ({ title, kind, isEssential, heading }): TextColumn => ({
        title,
        ...(heading !== undefined && { group: heading }),
        ...(kind === "text" ? {} : { align: "right" }),
        ...(isEssential && { isEssential }),
      }),
    ),
    rows: rows.map((row, at) =>
      columns.map((one, place) => {
        const above = rows[at - 1];
        const isSame = above !== undefined && isSameCell(row[place], above[place], one);
        return one.isGroup && isSame ? "" : cellText(row[place] ?? null, one);
      }),
    ),
  };
}

/** Words with a look are one cell where they are the same object: namesakes are not. */
const isSameCell = (
  cell: Cell | undefined,
  above: Cell | undefined,
  column: ViewColumn,
): boolean =>
  typeof cell === "object" && cell !== null && "words" in cell
    ? cell === above
    : cellText(cell ?? null, column) === cellText(above ?? null, column);

/** @example cellText({ value: 0.5, low: 0.4, high: 0.6 }, percentColumn("share")) // "50.0 [40.0, 60.0]" */
export function cellText(cell: Cell, { kind, decimals }: Omit<ViewColumn, "id" | "title">): string {
  if (cell === null) return "–";
  if (typeof cell === "string" || (typeof cell === "object" && "words" in cell))
    return plainText(cell);
  const text = (value: number | null) => {
    if (typeof value === "number" && decimals !== undefined) return fixedText(value, decimals);
    return printers[kind]({ value, low: null, high: null });
  };
  if (typeof cell === "number") return text(cell);
  if (isEstimate(cell)) return printers[kind](cell);
  const { low, high } = cell;
  return low === null || high === null ? "–" : `${text(low)} to ${text(high)}`;
}

const isEstimate = (cell: Estimate | Range): cell is Estimate => "value" in cell;

const printers: Readonly<Record<ViewColumn["kind"], (estimate: Estimate) => string>> = {
  text: estimateText,
  number: estimateText,
  percent: percentText,
  count: ({ value }) => (value === null ? "–" : countText(value)),
  p: ({ value }) => probabilityText(value),
};

/** A view in Markdown: names in it come from files and become no markup. `command` makes it again. */
export function markdownOf(view: View, command: string): string {
  const { verdict, findings, tables, caveats, method } = printed(view);
  const { pictures = [] } = view;
  const listed = (sentences: readonly string[]) =>
    sentences.length === 0 ? [] : [sentences.map((one) => `- ${escaped(one)}`).join("\n")];
  return [
    `**${escaped(verdict)}**`,
    ...listed(findings),
    ...tables.map(markdownTable),
    ...pictures.map(markdownPictures),
    ...listed(caveats),
    `${unmentioned(method)} Made by \`${printableLines(command)}\`.`,
  ]
    .join("\n\n")
    .concat("\n");
}

function markdownTable({ title, columns, rows, note }: TextTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |`;
  return [
    `### ${unmentioned(title)}`,
    "",
    line(columns.map((column) => column.title)),
    `| ${columns.map(({ align }) => (align === "right" ? "---:" : "---")).join(" | ")} |`,
    ...rows.map(line),
    "",
    note,
  ].join("\n");
}

/** Images by their addresses; a file of the user's own machine is shown nowhere else. */
function markdownPictures({ title, text, images }: ViewPictures): string {
  const each = images.map(({ file, alternative, address = file }) => {
    const place = encodeURI(address).replace(/[()]/g, (one) => (one === "(" ? "%28" : "%29"));
    return `![${escaped(alternative).replace(/[[\]]/g, "")}](${place})`;
  });
  return [`#### ${escaped(printable(title))}`, escaped(printable(text)), each.join(" ")].join(
    "\n\n",
  );
}

/** A name such as @team notifies nobody where the file becomes a comment: an empty comment parts it. */
const unmentioned = (text: string) =>
  text.replace(/(?<![\p{L}\p{N}_])@(?=[\p{L}\p{N}])/gu, "@<!-- -->");

/** Names come from a file of the user's: they must not become markup, a link or a new cell. */
const escaped = (text: string) =>
  unmentioned(text.replace(/[\\|`*_<>]/g, (character) => `\\${character}`))
    .replaceAll("](", "]\\(")
    .replace(/\s+/g, " ");

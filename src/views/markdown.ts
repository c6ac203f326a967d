import { printableLines } from "./printable.js";
import { printed } from "./printed.js";
import type { ReadableConclusion, TextTable } from "./text-table.js";
import type { View } from "./view.js";

/** A view in Markdown: names in it come from files and become no markup. `command` makes it again. */
export function markdownOf(view: View | ReadableConclusion, command: string): string {
  const { verdict, findings, tables, caveats, method } = printed(view);
  const listed = (sentences: readonly string[]) =>
    sentences.length === 0 ? [] : [sentences.map((one) => `- ${escaped(one)}`).join("\n")];
  return [
    `**${escaped(verdict)}**`,
    ...listed(findings),
    ...tables.map(markdownTable),
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

/** A name such as @team notifies nobody where the file becomes a comment: an empty comment parts it. */
const unmentioned = (text: string) =>
  text.replace(/(?<![\p{L}\p{N}_])@(?=[\p{L}\p{N}])/gu, "@<!-- -->");

/** Names come from a file of the user's: they must not become markup, a link or a new cell. */
const escaped = (text: string) =>
  unmentioned(text.replace(/[\\|`*_<>]/g, (character) => `\\${character}`))
    .replaceAll("](", "]\\(")
    .replace(/\s+/g, " ");

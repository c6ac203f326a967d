import { printable, printableLines } from "./printable.js";
import { printed, printedTable, type TextTable } from "./printed.js";
import type { Part, Report } from "./report.js";
import { plainText, type View, type ViewPictures, type Words } from "./view.js";

/** A view in Markdown: names in it come from files and become no markup. `command` makes it again. */
export function markdownOf(view: View, command: string): string {
  const { verdict, findings, tables, caveats, method } = printed(view);
  const { pictures = [] } = view;
  return paragraphs([
    `**${escaped(verdict)}**`,
    listed(findings),
    ...tables.map(markdownTable),
    ...pictures.map(markdownPictures),
    listed(caveats),
    `${unmentioned(method)} Made by \`${printableLines(command)}\`.`,
  ]);
}

/** A report in Markdown: its words and tables, without pictures and figures. `command` makes it again. */
export function reportMarkdown(
  { title, verdict, caveats, method, notice = "", also = [], chapters }: Report,
  command: string,
): string {
  const [lead = "", ...findings] = verdict;
  return paragraphs([
    `# ${escaped(title)}`,
    `**${escaped(lead)}**`,
    listed(findings),
    listed(caveats),
    escaped(notice),
    ...also.flatMap(partsOf),
    ...chapters.flatMap(({ title, parts }) => [`## ${escaped(title)}`, ...parts.flatMap(partsOf)]),
    `${unmentioned(method)} Made by \`${printableLines(command)}\`.`,
  ]);
}

/** Paragraphs of a part of a report. */
function partsOf(part: Part): string[] {
  if (typeof part === "string" || "words" in part) return [escaped(plainText(part))];
  if ("columns" in part) return [markdownTable(printedTable(part))];
  if ("heading" in part) return [`### ${escaped(plainText(part.heading))}`];
  if ("items" in part) return [listed(part.items)];
  if ("commands" in part) return [`\`\`\`sh\n${part.commands.join("\n")}\n\`\`\``];
  if ("facts" in part)
    return [listed(part.facts.map(([term, what]) => `${term}: ${plainText(what)}`))];
  if ("summary" in part) return [`### ${escaped(part.summary)}`, ...part.parts.flatMap(partsOf)];
  return "pictures" in part ? (part.beside ?? []).flatMap(partsOf) : [];
}

const paragraphs = (texts: readonly string[]) =>
  `${texts.filter((text) => text !== "").join("\n\n")}\n`;

const listed = (sentences: readonly Words[]) =>
  sentences.map((one) => `- ${escaped(plainText(one))}`).join("\n");

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

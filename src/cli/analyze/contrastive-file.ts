import { extname } from "node:path";
import type { ContrastiveConclusion, ContrastiveSummary } from "../../analysis/contrastive.js";
import { InputError } from "../../core/errors.js";
import { csvLine } from "../../files/csv-text.js";
import { contrastiveTables, type TextTable } from "../../report/contrastive-tables.js";

/** A conclusion with what a file about it says. */
export interface ContrastiveFile {
  readonly conclusion: ContrastiveConclusion;
  readonly verdict: string;
  /** What was analysed, by its name. */
  readonly name: string;
  /** The command that makes it again. */
  readonly command: string;
}

type Writer = (file: ContrastiveFile) => string | Promise<string>;

const writers: Readonly<Record<string, Writer>> = {
  ".json": ({ conclusion, verdict }) => `${JSON.stringify({ ...conclusion, verdict }, null, 2)}\n`,
  ".csv": csvText,
  ".md": markdownText,
  ".html": async ({ conclusion, ...about }) => {
    // The only one that draws: plots are loaded when one is asked for.
    const { contrastivePage } = await import("../../report/contrastive-page.js");
    return contrastivePage(conclusion, about);
  },
};

/**
 * What writes a file of this name.
 *
 * @throws InputError for an ending that is none of .json, .csv, .md and .html.
 */
export function writerFor(path: string): Writer {
  const writer = writers[extname(path).toLowerCase()];
  if (writer !== undefined) return writer;
  throw new InputError(
    `Expected a file that ends in ${Object.keys(writers).join(", ")} for --out but received "${path}"`,
  );
}

const estimates = [
  "failureRate",
  "strictFailureRate",
  "meanCorrect",
  "meanAdversarial",
  "difference",
  "correctMargin",
  "incorrectMargin",
] as const;

/** A row for each metric and scope (overall, macro, a domain); shares from 0 to 1, unrounded. */
function csvText({ conclusion: { metrics } }: ContrastiveFile): string {
  const header = [
    ...["metric", "scope", "domain", "n", "unscored", "ties"],
    ...estimates.flatMap((name) => [name, `${name}Low`, `${name}High`]),
    ...["boundsLow", "boundsHigh"],
  ];
  const line = (metric: string, scope: string, domain: string, summary: ContrastiveSummary) =>
    csvLine([
      ...[metric, scope, domain, summary.n, summary.unscored, summary.ties],
      ...estimates.flatMap((name) => {
        const { value, low, high } = summary[name];
        return [value, low, high];
      }),
      ...[summary.bounds.low, summary.bounds.high],
    ]);
  const lines = Object.entries(metrics).flatMap(([metric, { overall, macro, domains }]) => [
    line(metric, "overall", "", overall),
    line(metric, "macro", "", macro),
    ...Object.entries(domains).map(([domain, each]) => line(metric, "domain", domain, each)),
  ]);
  return [csvLine(header), ...lines].join("");
}

function markdownText({ conclusion, verdict, command }: ContrastiveFile): string {
  const { warnings, intervals } = conclusion;
  return [
    `**${escaped(verdict)}**`,
    ...contrastiveTables(conclusion).map(markdownTable),
    ...(warnings.length === 0 ? [] : [warnings.map((one) => `- ${escaped(one)}`).join("\n")]),
    `Brackets hold intervals: ${intervals.text}. Made by \`${command}\`.`,
  ]
    .join("\n\n")
    .concat("\n");
}

function markdownTable({ title, columns, rows, note }: TextTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |`;
  return [
    `### ${title}`,
    "",
    line(columns.map((column) => column.title)),
    `| ${columns.map(({ align }) => (align === "right" ? "---:" : "---")).join(" | ")} |`,
    ...rows.map(line),
    "",
    note,
  ].join("\n");
}

/** Names come from a file of the user's: they must not become markup, a link or a new cell. */
const escaped = (text: string) =>
  text
    .replace(/[\\|`*_<>]/g, (character) => `\\${character}`)
    .replaceAll("](", "]\\(")
    .replace(/\s+/g, " ");

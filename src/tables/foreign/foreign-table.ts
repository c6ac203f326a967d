import { z } from "zod";
import { InputError } from "../../core/errors.js";
import type { UnscoredReason } from "../../core/unscored.js";
import type { TableCell } from "../cell-table.js";

/** A parsed file of another tool; of a folder or an archive one of several. */
export interface ForeignFile {
  /** For messages; below a folder its path there. */
  readonly name: string;
  /** The parsed JSON; of JSON lines a list. */
  readonly value: unknown;
}

export type ForeignRow = Readonly<Record<string, TableCell>>;

/** A tool's files as rows that a verb reads. */
export interface ForeignTable {
  readonly rows: readonly ForeignRow[];
  /** Notes for the reader: rows that were left out, and why. */
  readonly notes: readonly string[];
}

/** How a tool's files are read. A new one is an object here and a line in `import.ts`. */
export interface ForeignTool {
  readonly name: string;
  /** The kind of file that is read, in a few words. */
  readonly summary: string;
  /** One paragraph for --help: what becomes what. */
  readonly description: string;
  /** A command line that works. */
  readonly example: string;
  /** Whether --question chooses among several. */
  readonly hasQuestions?: true;
  /** Whether a file of a folder or an archive is one to be read. */
  wants(name: string): boolean;
  /** Whether each such file of a folder is read by itself. */
  isWhole?(name: string): boolean;
  /** The words after `touchstone` that read the rows, FILE for where they lie; none where no verb does. */
  next(rows: readonly ForeignRow[]): readonly string[] | undefined;
  /** @throws InputError that lists what was not understood. */
  read(
    files: readonly ForeignFile[],
    options: { readonly question?: string | undefined },
  ): ForeignTable;
}

/** One score of one item, in the columns that `compare` and `correlation` read. */
export interface ForeignScore {
  readonly id: string;
  readonly prompt: string | null;
  readonly model: string | null;
  readonly metric: string;
  readonly score: number | null;
  /** Why there is no score. */
  readonly reason: UnscoredReason | null;
}

const ownColumns = ["id", "prompt", "model", "metric", "score", "reason"];

/** A score's row, with the tool's own plain values behind it; where a name is taken, as `input_NAME`. */
export function scoreRow(
  score: ForeignScore,
  others: Readonly<Record<string, unknown>> = {},
): ForeignRow {
  const kept = Object.entries(others).flatMap(([name, value]): [string, TableCell][] =>
    typeof value === "string" || typeof value === "number"
      ? [[ownColumns.includes(name) ? `input_${name}` : name, value]]
      : typeof value === "boolean"
        ? [[ownColumns.includes(name) ? `input_${name}` : name, Number(value)]]
        : [],
  );
  return { ...score, ...Object.fromEntries(kept) };
}

/** `compare` reads scores of several models; of one model, its metrics side by side can be correlated. */
export function nextForScores(rows: readonly ForeignRow[]): readonly string[] | undefined {
  const metrics = new Set(rows.map(({ metric }) => String(metric)));
  const models = new Set(rows.map(({ model }) => model));
  const [metric = ""] = metrics;
  return models.size > 1 ? ["compare", "FILE", "--metric", metric] : undefined;
}

/**
 * Scores with a column for each metric and a row for each item and model, as `correlation` reads them.
 *
 * @throws InputError for a metric that is called as a column is.
 */
export function wideRows(rows: readonly ForeignRow[]): ForeignRow[] {
  const byItem = new Map<string, Record<string, TableCell>>();
  for (const { metric, score = null, reason: _, ...about } of rows) {
    const name = String(metric);
    if (Object.hasOwn(about, name)) {
      throw new InputError(
        `Expected metrics and columns of different names but both have "${name}"`,
        {
          hint: "Leave out --wide.",
        },
      );
    }
    const key = JSON.stringify(about);
    const row = byItem.get(key) ?? { ...about };
    row[name] = score;
    byItem.set(key, row);
  }
  return [...byItem.values()];
}

/**
 * Reads a file by a schema.
 *
 * @throws InputError that says what the file was taken for and where it differs.
 */
export function parsed<Schema extends z.ZodType>(
  schema: Schema,
  { name, value }: ForeignFile,
  what: string,
): z.output<Schema> {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  throw new InputError(`Expected ${what} in ${name} but it is not as that tool writes it`, {
    problems: found.error.issues.map(
      ({ path, message }) => `${path.join(".") || "the file"}: ${message}`,
    ),
  });
}

/** @throws InputError with what was not understood, if anything was not. */
export function refuse(problems: readonly string[], what: string): void {
  if (problems.length === 0) return;
  throw new InputError(`Expected ${what} but ${problems.length} could not be understood`, {
    problems,
    hint: "Nothing was written.",
  });
}

export const text = z.union([z.string(), z.number()]).transform(String);

/** The first text of nested lists and objects, as requests are written out; null where there is none. */
export function firstText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return null;
  const [first] = Object.values(value);
  return firstText(first);
}

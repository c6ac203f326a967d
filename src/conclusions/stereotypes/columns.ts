import type { AuditEvidence } from "../../analysis/stereotypes/audit-evidence.js";
import { auditExperts, type ExpertConclusion } from "../../analysis/stereotypes/audit-experts.js";
import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import { InputError } from "../../core/errors.js";
import type { Arguments, Given } from "../../core/options.js";
import { answer, type ColumnKind, oneOf, optionalAnswer, text } from "../../tables/columns.js";
import { intervalArguments } from "../shared-options.js";
import { type GivenTable, type Inputs, tableReader } from "../table-options.js";

export const options = {
  experts: {
    kind: "text",
    value: "A,B",
    description:
      "one column for each expert, instead of the column expert; the majority is the reference",
  },
  ...intervalArguments,
} as const satisfies Arguments;

const own = { query: text, category: text, model: text, phase: oneOf(["initial", "refined"]) };
const columns = { ...own, imageSet: text, item: text, present: answer, expert: optionalAnswer };

export interface Audit {
  readonly rows: readonly StereotypeRow[];
  readonly experts: ExpertConclusion | undefined;
  /** Where the table held sums in place of rows. */
  readonly evidence?: AuditEvidence;
}

/** Reads a rubric's answers, with --experts the experts' majority as the reference. */
export async function readAudit(
  given: GivenTable & Given<typeof options>,
  inputs: Inputs,
): Promise<Audit> {
  const names = parseExperts(given.experts, Object.keys(columns));
  const read = tableReader({
    columns: { ...columns, ...expertColumns(names) },
    unique: ["query", "category", "model", "phase", "imageSet", "item"],
  });
  const rows = await read(given, inputs);
  if (names.length === 0) return { rows, experts: undefined };
  const answered = rows.map((row) => ({ ...row, experts: answersOf(row, names) }));
  return auditExperts(answered, names, given);
}

/**
 * The columns that were named for --experts, each once; none where it was not given.
 *
 * @param taken columns that mean something else.
 */
function parseExperts(given: string | undefined, taken: readonly string[]): string[] {
  if (given === undefined) return [];
  const names = given.split(",").map((name) => name.trim());
  const isBad = names.includes("") || new Set(names).size < names.length;
  const clash = names.find((name) => name !== "expert" && taken.includes(name));
  if (isBad || clash !== undefined) {
    throw new InputError(
      clash === undefined
        ? `Expected different columns for --experts but received "${given}"`
        : `Expected columns with experts' answers for --experts but received "${clash}", which is another column`,
      { hint: "The columns with an expert's answers each, such as --experts anna,ben" },
    );
  }
  return names;
}

/** Columns of experts, whatever they are called. */
const expertColumns = (
  names: readonly string[],
): Readonly<Record<string, ColumnKind<0 | 1 | null>>> =>
  Object.fromEntries(names.map((name) => [name, answer]));

/** The experts' answers in a row that was read with those columns. */
const answersOf = (row: object, names: readonly string[]): (0 | 1 | null)[] => {
  const cells = new Map<string, unknown>(Object.entries(row));
  return names.map((name) => {
    const found = cells.get(name);
    return found === 0 || found === 1 ? found : null;
  });
};

import { z } from "zod";
import { type AnyRecord, type RecordType, recordSchemas } from "../../core/records.js";

/** Names of tables of records, by type. */
export const recordTables: Readonly<Record<RecordType, string>> = {
  prompt: "prompts",
  description: "descriptions",
  image: "images",
  score: "scores",
  pair: "pairs",
  judgment: "judgments",
  "image-judgment": "image_judgments",
  mask: "masks",
  query: "queries",
  audit: "audits",
  refinement: "refinements",
};

/** Whether this version knows records of this name. */
export const isRecordType = (name: string): name is RecordType => Object.hasOwn(recordTables, name);

/** Kind of a column; "json" is a list or an object, as text. */
export type RecordColumnKind = "text" | "integer" | "number" | "boolean" | "json";

/** A member of a record as a column. Any cell may be null: a record without an answer has none. */
export interface RecordColumn {
  readonly name: string;
  readonly kind: RecordColumnKind;
}

/** The same for all records of a table. */
const constant = new Set(["schema", "type"]);

/** The collecting step as `name@version`; a folder has the column `step`, with the step's place in the run. */
const renamed: Readonly<Record<string, string>> = { step: "step_version" };

/** The member of a record that a column holds. */
export const memberOf = (column: string): string =>
  Object.entries(renamed).find(([, name]) => name === column)?.[0] ?? column;

/** The columns of a table of records, in the order of the records' members: the answer's own come last. */
export function recordColumns(type: RecordType): readonly RecordColumn[] {
  const kinds = new Map<string, RecordColumnKind>();
  const [done, unscored] = recordSchemas[type].options;
  for (const option of [unscored, done]) {
    const { properties = {} } = z.toJSONSchema(option);
    for (const [name, schema] of Object.entries(properties)) {
      if (!constant.has(name)) kinds.set(renamed[name] ?? name, kindOf(schema));
    }
  }
  return [...kinds].map(([name, kind]) => ({ name, kind }));
}

/** The cells of a record in the order of `columns`. */
export function recordCells(
  record: AnyRecord,
  columns: readonly RecordColumn[],
): (string | number | bigint | boolean | null)[] {
  const values = new Map<string, unknown>(
    Object.entries(record).map(([name, value]) => [renamed[name] ?? name, value]),
  );
  return columns.map(({ name, kind }) => {
    const value = values.get(name);
    if (value === undefined || value === null) return null;
    if (kind === "json") return JSON.stringify(value);
    if (kind === "integer") return BigInt(Number(value));
    return typeof value === "number" || typeof value === "boolean" ? value : String(value);
  });
}

const plain: Readonly<Record<string, RecordColumnKind>> = {
  string: "text",
  integer: "integer",
  number: "number",
  boolean: "boolean",
};

function kindOf(schema: unknown): RecordColumnKind {
  const type = typeof schema === "object" && schema !== null && "type" in schema ? schema.type : "";
  return (typeof type === "string" ? plain[type] : undefined) ?? "json";
}

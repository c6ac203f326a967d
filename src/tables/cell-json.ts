import { isDeep, type Json } from "../core/json.js";

/**
 * A cell as JSON: 64-bit integers as numbers where they are exact, else as text; null for numbers that JSON lacks, and
 * for a value that is nested too deeply.
 */
export function cellJson(value: unknown): Json {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (isDeep(value)) return null;
  return JSON.parse(JSON.stringify(value, (_, one: unknown) => wholeNumber(one)) ?? "null");
}

/** A cell as text: nothing for NULL, JSON for a list or a structure. */
export const cellText = (cell: unknown): string => {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cellJson(cell)) : String(cell);
};

const wholeNumber = (value: unknown): unknown => {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

import type { Json, JsonObject } from "../../core/json.js";

/** Content of a table beside the columns that were read, as JSON. */
export function plainColumns(
  all: Readonly<Record<string, unknown>>,
  used: ReadonlySet<string>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]): [string, Json][] =>
      used.has(name) || value === undefined ? [] : [[name, cellJson(value)]],
    ),
  );
}

function cellJson(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  try {
    return JSON.parse(JSON.stringify(value)) ?? null;
  } catch (error) {
    // Too deep to be anybody's column.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether the optional peer of `query` is there. */
export function duckDbInstalled(): boolean {
  try {
    return import.meta.resolve("@duckdb/node-api") !== "";
  } catch {
    return false;
  }
}

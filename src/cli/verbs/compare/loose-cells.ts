type Row = Readonly<Record<string, unknown>>;

/** The text of the first of some columns that a row has; undefined where all are missing or empty. */
export function cellText(row: Row, names: readonly string[]): string | undefined {
  for (const name of names) {
    const cell = row[name];
    const text = typeof cell === "string" || typeof cell === "number" ? String(cell).trim() : "";
    if (text !== "") return text;
  }
  return undefined;
}

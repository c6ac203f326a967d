/** Texts of a column, each held once: row r has `names[codes[r]]`, or nothing where its code is -1. */
export interface TextColumn {
  readonly codes: Int32Array;
  /** In the order in which they first occur; made when first asked for. */
  readonly names: readonly string[];
  /** How many names there are, where that is known without them. */
  readonly count?: number;
}

export const isTextColumn = (column: unknown): column is TextColumn =>
  typeof column === "object" && column !== null && "codes" in column && "names" in column;

/** How many names a column has. */
export const nameCount = (column: TextColumn): number => column.count ?? column.names.length;

/** What a row says in a column; undefined where it says nothing. */
export const textAt = ({ codes, names }: TextColumn, row: number): string | undefined =>
  names[codes[row] ?? -1];

/** The column of some texts. */
export function textColumn(texts: readonly (string | undefined)[]): TextColumn {
  const known = new Map<string, number>();
  const codes = Int32Array.from(texts, (text) => {
    if (text === undefined) return -1;
    const code = known.get(text) ?? known.size;
    known.set(text, code);
    return code;
  });
  return { codes, names: [...known.keys()] };
}

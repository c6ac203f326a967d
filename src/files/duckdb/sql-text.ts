/** A text as SQL writes it. @example sqlText("it's") // "'it''s'" */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A list of texts as DuckDB writes it. */
export const sqlTexts = (texts: readonly string[]): string => `[${texts.map(sqlText).join(", ")}]`;

/** A name of a table or column as SQL writes it. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

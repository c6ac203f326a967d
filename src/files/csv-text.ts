/** One line of CSV (RFC 4180) with its end: quoted where it must be, quotes doubled, null empty. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\n`;
}

function csvCell(cell: string | number | null): string {
  const text = cell === null ? "" : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

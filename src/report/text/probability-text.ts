/**
 * A p-value: three decimals, below that only how far. "–" where there is none.
 *
 * @example probabilityText(0.00002) // "<0.001"
 */
export function probabilityText(p: number | null): string {
  if (p === null) return "–";
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}

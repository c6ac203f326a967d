import type { Dialect } from "./dialects.js";

/**
 * The query for the rows of a share of clusters, whole ones, drawn by the hash of their names: an estimate from them is
 * one of all, and its interval, over clusters, holds.
 *
 * @param options.by the column that names clusters.
 */
export function sampleQuery(
  { by, share }: { readonly by: string; readonly share: number },
  from: string,
  { text, hash }: Dialect,
): string {
  const below = Math.round(share * 2 ** 32);
  const where =
    below >= 2 ** 32
      ? ""
      : `\nWHERE ${hash(`CAST(${by} AS ${text})`)} < '${below.toString(16).padStart(8, "0")}'`;
  return `SELECT * FROM ${from}${where}`;
}

import type { CorrelationConclusion } from "../../src/analysis/correlation/correlation.js";
import { conclude } from "../../src/conclusions/conclusions.js";
import { InputError } from "../../src/core/errors.js";
import { tableOf } from "../../src/tables/bytes.js";
import { csvLine } from "../../src/tables/cell-table.js";

type Row = Readonly<Record<string, unknown>>;

const cellText = (cell: unknown) => (Object.is(cell, -0) ? "-0" : String(cell ?? ""));

/** A table as CSV; of objects, with the columns of all and of `more`. */
export function csvOf(rows: readonly object[], more: readonly string[] = []): string {
  const columns = [...new Set([...rows.flatMap((row) => Object.keys(row)), ...more])];
  const lines = rows.map((row) => {
    const cells = new Map<string, unknown>(Object.entries(row));
    return csvLine(columns.map((column) => cellText(cells.get(column))));
  });
  return [csvLine(columns), ...lines].join("");
}

/** Columns of a number that is split as the printed query splits it. */
export function splitNumber(name: string, value: number): Record<string, number> {
  let rest = value;
  return Object.fromEntries(
    [20, 30, 30, 30].map((bits, at) => {
      rest *= 2 ** bits;
      const whole = Math.trunc(rest);
      rest -= whole;
      return [`sum_${name}_${at + 1}`, whole];
    }),
  );
}

/** Rows counted by their keys, and numbers of theirs summed. */
export function counted<Each>(
  rows: readonly Each[],
  keysOf: (row: Each) => Row,
  numbersOf: (row: Each) => Readonly<Record<string, number>> = () => ({}),
): Record<string, unknown>[] {
  const cells = new Map<string, Record<string, unknown>>();
  for (const row of rows) {
    const keys = keysOf(row);
    const cell = cells.get(JSON.stringify(keys)) ?? { ...keys };
    cells.set(JSON.stringify(keys), cell);
    for (const [name, value] of Object.entries({ row_count: 1, ...numbersOf(row) })) {
      cell[name] = Number(cell[name] ?? 0) + value;
    }
  }
  return [...cells.values()];
}

/** Output of --json without `scores`, which is as long as the table; or what is refused. */
export async function figures(name: string, text: string, options: Record<string, string> = {}) {
  const asked = { resamples: "100", ...options };
  try {
    const { scores, scoresReason, ...found } = (
      await conclude(name, tableOf("table.csv", text), asked)
    ).json();
    return JSON.stringify(found);
  } catch (error) {
    if (error instanceof InputError) return [error.message, ...error.problems].join("\n");
    throw error;
  }
}

/** What of a correlation rests on pairs within prompts. */
export function tausWithin({
  metrics,
  verdict,
  n,
  unscored,
  unrated,
}: Partial<CorrelationConclusion> & { readonly verdict?: string }): string {
  const within = Object.entries(metrics ?? {}).map(([name, { grouped }]) => {
    const { spearman, pearson, each = {}, ...rest } = { ...grouped };
    const taus = Object.entries(each).map(([group, found]) => {
      const { n, kendallTauB, kendallTauC, pairwiseAccuracy } = found;
      return { group, n, kendallTauB, kendallTauC, pairwiseAccuracy };
    });
    const { kendallTauB, kendallTauC } = { ...rest.clipped };
    return { name, ...rest, clipped: { kendallTauB, kendallTauC }, taus };
  });
  return JSON.stringify({ within, verdict, n, unscored, unrated });
}

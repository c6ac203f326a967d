import type { RecordOf } from "../core/records.js";
import { preferenceForA } from "./pairwise-judge.js";
import { wordingOf } from "./prompt.js";

/** Answers of a model's prompts to a pair. */
export interface PairPreferences {
  readonly pair: string;
  /** P(a is better) by prompt, a tie counting half; null where there is no answer. */
  readonly preferences: readonly (number | null)[];
}

/** The judgments of one model as a table: a row for each pair, a column for each prompt. */
export interface PreferenceTable {
  /** Names of prompts; of wordings where both orders are averaged. */
  readonly prompts: readonly string[];
  /** In the order in which the pairs were met. */
  readonly pairs: readonly PairPreferences[];
  /** Cells without an answer, by reason; of both orders averaged, those with one alone. */
  readonly unscored: Readonly<Record<string, number>>;
}

/**
 * Puts judgments into a table. A cell is the mean over its trials that have an answer.
 *
 * @param judgments of one model, in one way of asking
 * @param prompts which columns there are, in this order; all that are met where not given
 * @param orders `averaged`: a column is a wording and a cell the mean of both orders, so that a bias
 *   for a place falls out; a cell needs both
 */
export async function preferenceTable({
  judgments,
  prompts,
  orders = "apart",
}: {
  readonly judgments: AsyncIterable<RecordOf<"judgment">> | Iterable<RecordOf<"judgment">>;
  readonly prompts?: readonly string[];
  readonly orders?: "apart" | "averaged";
}): Promise<PreferenceTable> {
  const pairs = new Map<string, Map<string, Cell>>();
  const met = new Set<string>();
  for await (const judgment of judgments) {
    const column = orders === "averaged" ? wordingOf({ id: judgment.prompt }) : judgment.prompt;
    met.add(column);
    const row = pairs.get(judgment.pair) ?? new Map<string, Cell>();
    pairs.set(judgment.pair, row);
    const cell = row.get(column) ?? { a: none(), b: none(), reason: undefined };
    row.set(column, cell);
    if (judgment.status === "unscored") {
      cell.reason ??= judgment.reason;
      continue;
    }
    const seen = cell[judgment.firstShown];
    seen.sum += preferenceForA(judgment.probabilities);
    seen.count++;
  }
  const columns = prompts ?? [...met];
  const unscored: Record<string, number> = {};
  const fewest = orders === "averaged" ? 2 : 1;
  const preference = (cell: Cell | undefined): number | null => {
    const seen = cell === undefined ? [] : [cell.a, cell.b].filter(({ count }) => count > 0);
    if (seen.length >= fewest) {
      return seen.reduce((total, { sum, count }) => total + sum / count, 0) / seen.length;
    }
    const reason = cell?.reason ?? (seen.length === 0 ? "not asked" : "one order alone");
    unscored[reason] = (unscored[reason] ?? 0) + 1;
    return null;
  };
  return {
    prompts: columns,
    pairs: [...pairs].map(([pair, row]) => ({
      pair,
      preferences: columns.map((column) => preference(row.get(column))),
    })),
    unscored,
  };
}

interface Cell {
  /** Answers by which image was shown first. */
  readonly a: { sum: number; count: number };
  readonly b: { sum: number; count: number };
  reason: string | undefined;
}

const none = () => ({ sum: 0, count: 0 });

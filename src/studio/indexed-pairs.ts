import type { RunIndex } from "./run-index.js";
import type { ScoreTable } from "./score-table.js";

/** Two images of a run that are set against each other, by their places in the index. */
export interface IndexedPair {
  /** Names it in addresses. */
  readonly id: string;
  /** `contrastive`: the first shows what the text says; `preference`: two painters. */
  readonly kind: "contrastive" | "preference";
  readonly first: number;
  readonly second: number;
}

const kinds = [
  { kind: "contrastive", first: "correct", second: "adversarial" },
  { kind: "preference", first: "a", second: "b" },
] as const;

/** Returns the pairs of a run, in the order of their first images. */
export function pairsOf({ rows }: Pick<RunIndex, "rows">): readonly IndexedPair[] {
  const seconds = new Map<string, number>();
  const nameOf = (prompt: string, sample: number, role: string) => `${prompt}/${sample}/${role}`;
  for (const [at, { prompt, sample, role }] of rows.entries()) {
    if (kinds.some(({ second }) => second === role)) seconds.set(nameOf(prompt, sample, role), at);
  }
  if (seconds.size === 0) return [];
  return rows.flatMap(({ key, prompt, sample, role }, first) => {
    const found = kinds.find((one) => one.first === role);
    const second = found && seconds.get(nameOf(prompt, sample, found.second));
    return found === undefined || second === undefined
      ? []
      : [{ id: key, kind: found.kind, first, second }];
  });
}

/** Tests if a filter keeps a pair: both images have a score, and none is below the threshold. */
export const isKeptBy =
  (filter: Pick<ScoreTable, "value">, keepFrom: number) =>
  ({ first, second }: Pick<IndexedPair, "first" | "second">): boolean =>
    filter.value(first) >= keepFrom && filter.value(second) >= keepFrom;

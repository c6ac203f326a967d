import { clusteredShare } from "../../stats/clustered-share.js";
import type { Estimate } from "../../stats/estimate.js";
import { answersOf, signFor, type VoteRow } from "./row-ratios.js";

/** How often preferences go round: a over b, b over c, c over a. */
export interface Cycles {
  /** Triples of images of one prompt whose three pairs the judge decided. */
  readonly triples: number;
  /** The share that goes round; a coin's is 1/4. */
  readonly share: Estimate;
}

/**
 * Counts circular triples (Kendall and Babington Smith, "On the method of paired comparisons", 1940) within each
 * prompt, from the majority of the judge's answers about each pair of `a` and `b`. Ties and rows without names
 * take no part.
 */
export function cyclesOf(rows: readonly VoteRow[]): Cycles {
  const prompts = new Map<string, Map<string, Map<string, number>>>();
  for (const row of rows) {
    const { a, b, prompt = "" } = row;
    if (a === undefined || b === undefined || a === b) continue;
    const net = answersOf(row).reduce((sum, { said }) => sum + signFor(said, "a"), 0);
    const won = prompts.get(prompt) ?? new Map<string, Map<string, number>>();
    prompts.set(prompt, won);
    add(won, [a, b], net);
    add(won, [b, a], -net);
  }
  const counts = [...prompts.values()].map(countTriples);
  return {
    triples: counts.reduce((sum, { n }) => sum + n, 0),
    share: clusteredShare(
      // One prompt: its triples are all there is.
      counts.length === 1 ? counts.flatMap(single) : counts,
    ),
  };
}

function add(
  won: Map<string, Map<string, number>>,
  [one, other]: readonly [string, string],
  net: number,
): void {
  const over = won.get(one) ?? new Map<string, number>();
  won.set(one, over);
  over.set(other, (over.get(other) ?? 0) + net);
}

function countTriples(won: ReadonlyMap<string, ReadonlyMap<string, number>>) {
  const names = [...won.keys()].sort();
  const sign = (one: string, other: string) => Math.sign(won.get(one)?.get(other) ?? 0);
  let n = 0;
  let successes = 0;
  for (const [at, x] of names.entries()) {
    for (const [next, y] of names.slice(at + 1).entries()) {
      if (sign(x, y) === 0) continue;
      for (const z of names.slice(at + next + 2)) {
        const [xy, yz, zx] = [sign(x, y), sign(y, z), sign(z, x)];
        if (yz === 0 || zx === 0) continue;
        n += 1;
        if (xy === yz && yz === zx) successes += 1;
      }
    }
  }
  return { n, successes };
}

const single = ({ n, successes }: { readonly n: number; readonly successes: number }) =>
  Array.from({ length: n }, (_, at) => ({ n: 1, successes: at < successes ? 1 : 0 }));

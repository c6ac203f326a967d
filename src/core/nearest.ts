/**
 * The candidate that a mistyped word most likely meant: smallest edit distance (Damerau-Levenshtein,
 * optimal string alignment), at most a third of the longer word's length and never the whole word;
 * else one that continues it after a hyphen; `undefined` where nothing is near. Of equals the first wins.
 *
 * @example nearest("metrc", ["model", "metric"]) // "metric"
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates];
  let best: string | undefined;
  let smallest = Number.POSITIVE_INFINITY;
  for (const candidate of names) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    const isNear = distance <= allowed && distance < Math.min(word.length, candidate.length);
    if (isNear && distance < smallest) {
      best = candidate;
      smallest = distance;
    }
  }
  return best ?? names.find((name) => word.length > 2 && name.startsWith(`${word}-`));
}

function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const at = (line: readonly number[], index: number) => line[index] ?? 0;
      const substitution = from[row - 1] === to[column - 1] ? 0 : 1;
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + substitution,
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? from.length;
}

import type { Random } from "../core/random.js";

/** Random words that are held at once: 2 MB, which stay in a processor's own memory. */
const mostWords = 2 ** 19;
/** But so many subsets that filling a table costs less than looking things up there, in 32 MB at most. */
const fewestAtOnce = 2048;
const mostWordsOfFew = 2 ** 23;
/** Words of a subset that lie side by side; those of all subsets held at once follow, then the next ones of each. */
const wordsOfTile = 32;
/** Units of two words, which are looked up together. */
const unitsAtOnce = 64;

/**
 * Sums over random subsets of units: each unit is in a subset with probability 1/2. The bits of a
 * random word say which of 32 units are in, and a byte of them is one look into a table of the 256
 * sums of its eight units, so that a subset of 14,400 units takes 1,800 additions.
 *
 * @param columns one number for each unit, each column summed over the same subsets; a unit whose
 *   numbers are all 0 counts as well.
 * @returns for each column the sum over each subset, rounded as an addition of 1 or more rounds.
 * @example subsetSums([Float64Array.of(1, 1)], { subsets: 3, random })[0] // such as [1, 2, 0]
 */
export function subsetSums(
  columns: readonly Float64Array[],
  { subsets, random }: { readonly subsets: number; readonly random: Random },
): Float64Array[] {
  const sums = columns.map(() => new Float64Array(subsets));
  const words = Math.ceil((columns[0]?.length ?? 0) / 32);
  if (words === 0) return sums;
  const fewest = Math.min(fewestAtOnce, Math.floor(mostWordsOfFew / words));
  const atOnce = Math.min(subsets, Math.max(1, fewest, Math.floor(mostWords / words)));
  const table = new Float64Array((unitsAtOnce / 8) * 256);
  const width = Math.min(wordsOfTile, words);
  const tile = atOnce * width;
  const line = new Uint32Array(words);
  const drawn = new Uint32Array(Math.ceil(words / width) * tile);
  for (let from = 0; from < subsets; from += atOnce) {
    const to = Math.min(subsets, from + atOnce);
    for (let subset = from; subset < to; subset++) {
      random.integers(2 ** 32, line);
      spread(line, drawn, { at: (subset - from) * width, width, tile });
    }
    // A tile stays in the processor's memory while all columns look it up.
    for (let start = 0; start < words; start += width) {
      const end = Math.min(start + width, words);
      columns.forEach((column, index) => {
        const into = sums[index]?.subarray(from, to) ?? new Float64Array();
        for (let word = start; word < end; word += 2) {
          const first = (start / width) * tile + (word - start);
          if (fillTable(table, column, 32 * word)) addLooks(into, drawn, { first, width }, table);
        }
      });
    }
  }
  return sums;
}

/** Writes a subset's words to their tiles, where the same words of all subsets are near each other. */
function spread(
  line: Uint32Array,
  drawn: Uint32Array,
  { at, width, tile }: { readonly at: number; readonly width: number; readonly tile: number },
): void {
  for (let from = 0, to = at; from < line.length; from += width, to += tile) {
    const count = Math.min(width, line.length - from);
    for (let word = 0; word < count; word++) drawn[to + word] = line[from + word] ?? 0;
  }
}

/** Writes the sums of all subsets of eight units, eight times; whether any is not 0. */
function fillTable(table: Float64Array, column: Float64Array, first: number): boolean {
  let isAny = false;
  for (let unit = 0; unit < unitsAtOnce; unit++) {
    const value = column[first + unit] ?? 0;
    if (value !== 0) isAny = true;
    const start = (unit >> 3) << 8;
    const half = 1 << (unit & 7);
    for (let at = start; at < start + half; at++) table[at + half] = (table[at] ?? 0) + value;
  }
  return isAny;
}

/**
 * Adds what two words of each subset say to the subset's sum. Behind an odd last word stands one that
 * adds nothing: no unit has it.
 */
function addLooks(
  sums: Float64Array,
  drawn: Uint32Array,
  { first, width }: { readonly first: number; readonly width: number },
  table: Float64Array,
): void {
  for (let subset = 0, at = first; subset < sums.length; subset++, at += width) {
    const one = drawn[at] ?? 0;
    const two = drawn[at + 1] ?? 0;
    const a = (table[one & 255] ?? 0) + (table[256 | ((one >>> 8) & 255)] ?? 0);
    const b = (table[512 | ((one >>> 16) & 255)] ?? 0) + (table[768 | (one >>> 24)] ?? 0);
    const c = (table[1024 | (two & 255)] ?? 0) + (table[1280 | ((two >>> 8) & 255)] ?? 0);
    const d = (table[1536 | ((two >>> 16) & 255)] ?? 0) + (table[1792 | (two >>> 24)] ?? 0);
    sums[subset] = (sums[subset] ?? 0) + (a + b + (c + d));
  }
}

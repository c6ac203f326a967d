import type { Random } from "../core/random.js";

/** Rows of one kind within a cluster, and how many of them show what is counted. */
export interface KindCount {
  readonly n: number;
  readonly showing: number;
}

/** The kinds that a cluster has rows of; `marked` is set apart from the others, where it is there. */
export interface KindsOfCluster {
  readonly marked?: KindCount | undefined;
  readonly others: readonly KindCount[];
}

/** The most labellings that are enumerated one by one. */
const mostToEnumerate = 20_000;

/**
 * Whether rows of one kind, over all clusters, show something more or less often than those of the
 * other kinds: if the kind made no difference, any kind of a cluster could be the marked one. The
 * statistic is the share of all marked rows minus that of all others; a cluster's rows of one kind
 * stay together. Two-sided; what differs from the difference found by rounding alone is as far
 * from 0 as it. Exact up to 20,000 ways of labelling, the share of them that lie at least as far;
 * beyond, (1 + b) / (1 + B) with b such among B random ones, and never 0. Turning signs would not do:
 * of one marked row and two others the difference does not lie evenly around 0. Fisher, "The Design of
 * Experiments" (1935), 21; the added ones: Phipson and Smyth, "Permutation P-values Should Never Be
 * Zero" (2010).
 *
 * @returns p in (0, 1], 1 where no labelling differs; how many clusters differ within themselves.
 */
export function relabellingTest(
  clusters: readonly KindsOfCluster[],
  { permutations, random }: { readonly permutations: number; readonly random: Random },
): { readonly p: number; readonly differing: number } {
  const all = clusters.map(({ marked, others }) => [...(marked ? [marked] : []), ...others]);
  const isOpen = clusters.map(
    ({ marked }, at) => marked !== undefined && !areAlike(all[at] ?? [], marked),
  );
  const open = all.filter((_, at) => isOpen[at]);
  const total = added(all.flat());
  const fixed = added(
    clusters.flatMap(({ marked }, at) => (marked && !isOpen[at] ? [marked] : [])),
  );
  const found = differenceOf(added([fixed, ...open.flatMap(([first]) => first ?? [])]), total);
  if (Number.isNaN(found)) return { p: 1, differing: open.length };
  const far = Math.abs(found) - 1e-12;
  const isFar = (marked: KindCount) => Math.abs(differenceOf(marked, total)) >= far;
  const differing = open.filter(
    ([first, ...others]) => first !== undefined && others.some((one) => rate(one) !== rate(first)),
  ).length;

  const ways = open.reduce((product, kinds) => product * kinds.length, 1);
  if (ways <= mostToEnumerate) {
    const countFrom = (at: number, marked: KindCount): number => {
      const kinds = open[at];
      if (kinds === undefined) return Number(isFar(marked));
      return kinds.reduce((sum, kind) => sum + countFrom(at + 1, plus(marked, kind)), 0);
    };
    return { p: countFrom(0, fixed) / ways, differing };
  }
  // Kinds of all clusters behind each other, so that the loop reads numbers alone.
  const kinds = open.flat();
  const ns = Float64Array.from(kinds, ({ n }) => n);
  const showings = Float64Array.from(kinds, ({ showing }) => showing);
  const widths = Uint32Array.from(open, ({ length }) => length);
  const bits = new Uint32Array(open.length);
  let atLeast = 0;
  for (let permutation = 0; permutation < permutations; permutation++) {
    random.integers(2 ** 32, bits);
    let [n, showing] = [fixed.n, fixed.showing];
    for (let cluster = 0, first = 0; cluster < bits.length; cluster++) {
      const width = widths[cluster] ?? 0;
      const kind = first + Math.floor(((bits[cluster] ?? 0) / 2 ** 32) * width);
      n += ns[kind] ?? 0;
      showing += showings[kind] ?? 0;
      first += width;
    }
    if (isFar({ n, showing })) atLeast += 1;
  }
  return { p: (1 + atLeast) / (1 + permutations), differing };
}

const areAlike = (kinds: readonly KindCount[], { n, showing }: KindCount) =>
  kinds.every((kind) => kind.n === n && kind.showing === showing);

const rate = ({ n, showing }: KindCount) => showing / n;

const plus = (one: KindCount, other: KindCount): KindCount => ({
  n: one.n + other.n,
  showing: one.showing + other.showing,
});

const added = (counts: readonly KindCount[]): KindCount =>
  counts.reduce(plus, { n: 0, showing: 0 });

/** NaN where one side has no rows. */
const differenceOf = (marked: KindCount, total: KindCount): number =>
  rate(marked) - (total.showing - marked.showing) / (total.n - marked.n);

import type { Random } from "../../core/random.js";
import { square } from "../../stats/elementary/powers.js";
import { binomialTest } from "../../stats/incomplete-beta.js";
import { signFlipTest } from "../../stats/sign-flip-test.js";
import type { Comparison } from "../pairs/prototypicality-effect.js";
import { unitsText } from "./intervals.js";
import { promptClusters } from "./prompt-clusters.js";

/** Names of whole prompts (descriptions) where they are counted. */
export type TestUnit = "prompt" | "description" | "query";

/** An exact test beside an interval, over whole prompts: what no number of rows of few can feign. */
export interface ExactTest {
  /** Two-sided. */
  readonly p: number;
  /** The evidence, such as "4 of 31 prompts differ". */
  readonly restsOn: string;
}

/** p below it agrees with an interval that leaves a threshold out. */
export const exactLevel = 0.05;

/** @example countedUnits(1200, "prompt") // "1,200 prompts" */
export const countedUnits: (count: number, unit: TestUnit) => string = unitsText;

/** @example exactText({ p: 0.125, restsOn: "4 of 31 prompts differ" }) // "… : an exact test gives p = 0.125" */
export const exactText = ({ p, restsOn }: ExactTest): string =>
  `${restsOn}: an exact test gives p = ${Number(p.toPrecision(3))}`;

interface Value {
  readonly id: string;
  readonly prompt?: string | undefined;
  readonly value: number;
}

interface Drawing {
  readonly unit: TestUnit;
  readonly random: Random;
}

const permutations = 9_999;

/**
 * Tests a mean of differences against 0: their sums by prompt with their signs turned, so that a
 * prompt without a difference has no say. Where all sums are of one size it is the sign test.
 */
export function differenceTest(rows: readonly Value[], { unit, random }: Drawing): ExactTest {
  const { sums } = summed(rows);
  const differing = sums.filter((sum) => sum !== 0);
  return {
    p: signFlipTest(differing, { permutations, random }).p,
    restsOn: `${differing.length} of ${countedUnits(sums.length, unit)} ${differing.length === 1 ? "differs" : "differ"}`,
  };
}

/**
 * Tests a share against a threshold: the binomial test with each prompt as one draw, since
 * its rows may all show the same; of unlike numbers of rows fewer (Kish, "Survey Sampling", 1965:
 * (sum n)^2 / sum n^2, rounded down). Draws that show it are rounded towards the threshold. Where
 * rows of one prompt are less alike, p is larger than it need be.
 *
 * @param rows of value 0 or 1.
 */
export function shareTest(
  rows: readonly Value[],
  { threshold, unit }: { readonly threshold: number; readonly unit: TestUnit },
): ExactTest {
  const { sums, counts } = summed(rows);
  const total = (of: Float64Array) => of.reduce((sum, each) => sum + each, 0);
  const n = total(counts);
  const slack = 1e-9;
  const draws =
    n === 0 ? 0 : Math.floor(square(n) / total(counts.map((each) => square(each))) + slack);
  const share = total(sums) / n;
  const showing =
    share > threshold ? Math.floor(share * draws + slack) : Math.ceil(share * draws - slack);
  const units = countedUnits(sums.length, unit);
  return {
    p: binomialTest({ shown: draws === 0 ? 0 : showing, of: draws, share: threshold }),
    restsOn:
      draws === sums.length
        ? `${units}, each as one draw`
        : `${units} with unlike numbers of images, as ${draws.toLocaleString("en-US")} ${draws === 1 ? "draw" : "draws"}`,
  };
}

/** Tests failure rates with against those without a prototype conflict, by which kind of pair is which; see `relabellingTest`. */
export function effectTest(
  rows: readonly (Value & { readonly comparison: Comparison })[],
  { unit, random }: Drawing,
): ExactTest {
  const { cluster, count } = promptClusters(rows);
  const kinds = Array.from({ length: count }, () => new Map<Comparison, KindCount>());
  rows.forEach(({ comparison, value }, row) => {
    const its = kinds[cluster[row] ?? 0];
    const { n, showing } = its?.get(comparison) ?? { n: 0, showing: 0 };
    its?.set(comparison, { n: n + 1, showing: showing + value });
  });
  const { p, differing } = relabellingTest(
    kinds.map((its) => ({
      marked: its.get("contrastive"),
      others: [...its].flatMap(([kind, counted]) => (kind === "contrastive" ? [] : [counted])),
    })),
    { permutations, random },
  );
  return {
    p,
    restsOn: `in ${differing} of ${countedUnits(count, unit)} triplets and controls differ`,
  };
}

function summed(rows: readonly Value[]): { sums: Float64Array; counts: Float64Array } {
  const { cluster, count } = promptClusters(rows);
  const sums = new Float64Array(count);
  const counts = new Float64Array(count);
  rows.forEach(({ value }, row) => {
    const at = cluster[row] ?? 0;
    sums[at] = (sums[at] ?? 0) + value;
    counts[at] = (counts[at] ?? 0) + 1;
  });
  return { sums, counts };
}

/** Rows of one kind within a cluster, and how many of them show what is counted: both whole numbers. */
interface KindCount {
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
/** More rows than a run has. Both counts of so many, 0 or 1 for each row, are exact in one number below 2^53. */
const mostRows = 2 ** 26;

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
  // Kinds of all clusters behind each other, both counts in one number, so that a draw is one look and one addition.
  const counts = Float64Array.from(open.flat(), ({ n, showing }) => n * mostRows + showing);
  const widths = Uint32Array.from(open, ({ length }) => length);
  const bits = new Uint32Array(open.length);
  let atLeast = 0;
  for (let permutation = 0; permutation < permutations; permutation++) {
    random.integers(2 ** 32, bits);
    let sum = fixed.n * mostRows + fixed.showing;
    for (let cluster = 0, first = 0; cluster < bits.length; cluster++) {
      const width = widths[cluster] ?? 0;
      sum += counts[first + Math.floor(((bits[cluster] ?? 0) / 2 ** 32) * width)] ?? 0;
      first += width;
    }
    const n = Math.floor(sum / mostRows);
    if (isFar({ n, showing: sum - n * mostRows })) atLeast += 1;
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

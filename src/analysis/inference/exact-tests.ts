import type { Random } from "../../core/random.js";
import { binomialTest } from "../../stats/binomial-test.js";
import { square } from "../../stats/elementary/powers.js";
import { type KindCount, relabellingTest } from "../../stats/relabelling-test.js";
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

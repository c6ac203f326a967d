import type { Estimate } from "../../stats/estimate.js";
import { clusteredShare } from "../../stats/share-interval.js";
import type { IntervalMethod, IntervalOptions } from "../inference/intervals.js";
import { answersOf, signFor, type VoteRow } from "./row-ratios.js";

export interface JudgeCheckOptions extends IntervalOptions {
  /** Generators of the judge's own family, by their names in `a` and `b`. */
  readonly family?: readonly string[] | undefined;
}

/** How a judge's answers change with a degraded copy. */
export interface Sensitivity {
  readonly degradation: string;
  /** How strong; each level of a kind is one of these, the strongest last. */
  readonly level: number;
  readonly n: number;
  /** How often the judge prefers, or rates higher, the image as it is; ties half. */
  readonly share: Estimate;
}

/** How far a judge favours a generator beyond people. */
export interface Favour {
  readonly generator: string;
  readonly n: number;
  /**
   * Half of [mean answer where people prefer it] + [mean answer where they prefer the other], 1 for it and -1 for the
   * other: 0 for errors that fall on both sides alike.
   */
  readonly lean: Estimate;
  /** How much more often it is preferred than by people; ties half. */
  readonly excess: Estimate;
}

/** A judge's answers, what they show and what is wrong with them. */
export interface JudgeCheck {
  readonly n: number;
  /** Rows without an answer that can be read, refusals included; `unscored` is the same. */
  readonly unparsed: number;
  readonly unscored: number;
  readonly refused: number;
  /** How often each answer was given. */
  readonly answers: Readonly<Record<string, number>>;
  /** The commonest answer, and its share of those that can be read. */
  readonly constant: { readonly answer: string | null; readonly share: number | null };
  /** How often the image shown first is preferred, over both orders where both are known; ties half. */
  readonly firstShown: Estimate;
  /** The share of two answers about one item (the other order, another trial) that are the same. */
  readonly consistency: Estimate;
  /** Rows with people's answer. */
  readonly labelled: number;
  /** The share of labelled rows in which the judge says what people say; one without an answer is wrong. */
  readonly accuracy: Estimate;
  /** The same of the rows with an answer. */
  readonly accuracyParsed: Estimate;
  /** What people say most often, and the accuracy of saying that always. */
  readonly baseline: { readonly answer: string | null; readonly accuracy: number | null };
  /** Accuracy minus the baseline's, on the same rows. */
  readonly againstBaseline: Estimate;
  /** How often one rater says what most of the others say: the ceiling. */
  readonly oneRater?: Estimate;
  /** How much more often the judge does, on the same rows. */
  readonly againstRater?: Estimate;
  /** The preference for the first place that the images do not explain, from -1 to 1. */
  readonly lean?: Estimate;
  readonly cycles?: Cycles;
  readonly favours?: readonly Favour[];
  /** Of ratings: Kendall's tau-b with people's. */
  readonly kendallTauB?: Estimate;
  /** Of ratings: the fewest levels that hold 95 % of the answers, of how many; people's beside them. */
  readonly levels?: { readonly used: number; readonly of: number; readonly people: number | null };
  readonly sensitivity: readonly Sensitivity[];
  readonly findings: readonly Finding[];
  readonly verdict: string;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

export const findingKinds = [
  "unparsed",
  "refused",
  "constant",
  "position",
  "inconsistent",
  "intransitive",
  "narrow-scale",
  "own-family",
  "insensitive",
  "below-baseline",
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** What is wrong with a judge. */
export interface Finding {
  readonly kind: FindingKind;
  /** A defect bars its use as it is; a caution asks for a look. */
  readonly severity: "defect" | "caution";
  /** A sentence. */
  readonly text: string;
}

/** What a preference for the first place is told by. */
export type LeanBy = "orders" | "people" | "answers";

/** What was measured, before it is judged. */
export type Measured = Omit<JudgeCheck, "findings" | "verdict">;

/** Shares that only findings need. */
export interface Shares {
  readonly unparsedShare: Estimate;
  readonly refusedShare: Estimate;
  readonly constantShare: Estimate;
  /** How often people say the judge's commonest answer. */
  readonly peopleShare: Estimate;
  readonly leanBy?: LeanBy;
  readonly isFamilyNamed?: boolean;
  /** How often two ratings of one item would be the same by chance. */
  readonly byChance?: number;
}

/** How often preferences go round: a over b, b over c, c over a. */
interface Cycles {
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

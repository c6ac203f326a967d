import type { Estimate } from "../../stats/estimate.js";
import type { SignFlips } from "../../stats/sign-flip-test.js";

export interface ComparedPair {
  readonly a: string;
  readonly b: string;
  /** Prompts that both have scores of; all else here is over these. */
  readonly n: number;
  /** Prompts that only one of them has scores of. */
  readonly leftOut: number;
  /** The mean over prompts of a's mean score minus b's, whatever the direction. */
  readonly difference: Estimate;
  /** The share of prompts on which a is the better; of several images all pairs count, ties half. */
  readonly winRate: Estimate;
  /** The share of ties; null without a prompt. */
  readonly ties: number | null;
  /** Two-sided p-value of no difference; null where undefined. */
  readonly p: number | null;
  /** How sign flips came by p; undefined of another test. */
  readonly flips?: SignFlips;
  /** Over all pairs. */
  readonly pAdjusted: number | null;
  /** The mean difference in standard deviations of the differences. */
  readonly cohensDz: number | null;
  /** About how many prompts would bring a t-test to 0.05 / pairs at the present effect. */
  readonly promptsNeeded: number | null;
}

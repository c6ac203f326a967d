import type { Estimate } from "../../stats/estimate.js";
import type { IntervalMethod } from "../inference/intervals.js";
import type { Direction } from "../pairs/pair-sums.js";

/** The metric or judge that a card is about. */
export interface CardSubject {
  /** Its name in sentences. */
  readonly name: string;
  readonly direction: Direction;
  /** True if a score is the probability that the image shows the text; undefined if unknown. */
  readonly isProbability?: boolean | undefined;
  /** True if it chooses between two images, as a judge does; undefined if unknown. */
  readonly isPairwise?: boolean | undefined;
  /** The reference of agreement: "people", "the lab's truth". */
  readonly reference?: string | undefined;
  /** Source of the rows: a file, or the files of a run. */
  readonly source: string;
  /** Caveats of all figures. */
  readonly caveat?: string | undefined;
  /** The reason given for a figure without rows, where these are no table with columns. */
  readonly absence?: string | undefined;
}

/** The figures of a card, in the order in which it shows them; also the keys of its JSON. */
export const figureIds = [
  "prototypicality",
  "reversedConflict",
  "attributeConfusion",
  "agreement",
  "calibration",
  "overconfidence",
  "paraphraseSpread",
  "repeatability",
  "monotonicityContrast",
  "monotonicityMotionBlur",
  "monotonicityBrightness",
  "monotonicityOcclusion",
  "monotonicityNoise",
  "positionBias",
  "noPreference",
  "secondsPerImage",
  "costPerImage",
] as const;
export type FigureId = (typeof figureIds)[number];

/**
 * Verdict of an interval on an expectation: it lies wholly where it was hoped for (holds), wholly
 * elsewhere (fails), or on both sides (undecided). What has no expectation is only measured.
 */
export type FigureStatus =
  | "holds"
  | "fails"
  | "undecided"
  | "measured"
  | "not-measured"
  | "not-applicable";

/** Range expected of an estimate's interval: below or above a number, or between two. */
export interface Expectation {
  readonly low?: number;
  readonly high?: number;
  /** The same in words: "< 5 points". */
  readonly text: string;
}

/** How a number is read. */
export type FigureUnit = "share" | "points" | "number" | "score" | "seconds" | "dollars";

export interface FigureEstimate extends Estimate {
  /** The quantity, such as "failure rate, triplets minus controls". */
  readonly name: string;
  readonly unit: FigureUnit;
}

/** Evidence of a figure. */
export interface Behind {
  /** The file, or the files of a run. */
  readonly source: string;
  readonly rows: number;
  /** Names of the first of them: rows of the file, or keys of records. */
  readonly examples: readonly string[];
}

/** One line of a card. */
export interface CardFigure {
  readonly id: FigureId;
  readonly title: string;
  readonly status: FigureStatus;
  /** The finding, or why there is none, as a sentence that says no more than the interval. */
  readonly sentence: string;
  /** The unit that is counted: triplets, images, series. */
  readonly of: string;
  readonly n: number;
  readonly unscored: number;
  readonly estimate?: FigureEstimate;
  /** The estimate had all unscored ones passed, and had all failed; where it is a rate of failing. */
  readonly bounds?: { readonly low: number; readonly high: number };
  readonly expectation?: Expectation;
  /** More of the same rows, by name. */
  readonly further: Readonly<Record<string, FigureEstimate>>;
  /** Names in `further` that must be shown with the estimate. */
  readonly beside?: readonly string[];
  /** Which of `further` is compared with the expectation; else the estimate is. */
  readonly judgedBy?: string;
  /** How intervals were made. */
  readonly intervals?: string;
  /** The same as data. */
  readonly intervalMethod?: IntervalMethod;
  /** The columns that would be needed, where it was not measured. */
  readonly needs?: readonly string[];
  readonly behind: Behind;
}

/** The estimate that is compared with the expectation. */
export const judgedEstimate = ({
  estimate,
  further,
  judgedBy,
}: CardFigure): FigureEstimate | undefined =>
  judgedBy === undefined ? estimate : further[judgedBy];

/**
 * Intervals over fewer prompts claim too much to be believed: five of five on one side happen by
 * chance in one of sixteen, six of six in less than one of twenty.
 */
const leastClusters = 6;

/**
 * Judges an interval by the expectation. A share of none or all is judged by its one-sided bound.
 *
 * @example judged({ value: 0.2, low: 0.1, high: 0.3 }, { high: 0.5, text: "< 50 %" }, 40) // "holds"
 */
export function judged(
  { value, low, high, oneSided }: Estimate,
  { low: least = Number.NEGATIVE_INFINITY, high: most = Number.POSITIVE_INFINITY }: Expectation,
  clusters: number,
): FigureStatus {
  if (value === null) return "not-measured";
  const from = oneSided?.low ?? low;
  const to = oneSided?.high ?? high;
  if (from === null || to === null || clusters < leastClusters) return "undecided";
  if (from > least && to < most) return "holds";
  return to < least || from > most ? "fails" : "undecided";
}

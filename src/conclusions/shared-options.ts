import { intervalKinds, resampledIntervals } from "../analysis/inference/intervals.js";
import type { ScoreRange } from "../analysis/pairs/score-scale.js";
import type { TieOptions } from "../analysis/pairs/score-ties.js";
import { InputError } from "../core/errors.js";
import type { Arguments } from "../core/options.js";

/** A random seed; `description` says of what. */
export const seedArgument = (description: string) =>
  ({ kind: "number", integer: true, minimum: 0, default: 0, description }) as const;

/** What a certified threshold promises. */
export const targetErrorArgument = {
  kind: "number",
  default: 0.05,
  description: "the highest acceptable share of wrong answers among those a judge gives alone",
} as const;

/** How many permutations are drawn; `description` says of what. */
export const permutationsArgument = (description: string) =>
  ({
    kind: "number",
    integer: true,
    minimum: 100,
    maximum: 1_000_000,
    default: 10_000,
    description,
  }) as const;

/** How intervals are to be made. */
export const intervalArguments = {
  interval: {
    kind: "choice",
    choices: intervalKinds,
    description:
      "the interval method (default: percentile; delta above 10,000 clusters, and for correlations " +
      "above 20,000 rows); t where few prompts decide; bca corrects bias and skew",
  },
  resamples: {
    kind: "number",
    integer: true,
    minimum: 100,
    maximum: 1_000_000,
    default: 2000,
    description: "resamples of the bootstrap",
  },
  seed: seedArgument("the random seed of the bootstrap"),
} as const satisfies Arguments;

/** How intervals of a judge's numbers are to be made. */
export const judgeIntervalArguments = {
  interval: {
    kind: "choice",
    choices: resampledIntervals,
    default: "percentile",
    description: "bca corrects bias and skew",
  },
  resamples: intervalArguments.resamples,
  seed: intervalArguments.seed,
} as const satisfies Arguments;

/** Which two scores count as the same. */
export const tieArguments = {
  "tie-tolerance": {
    kind: "number",
    minimum: 0,
    maximum: 1,
    value: "T",
    description:
      "scores within T (relative) count as ties (default: 1e-6, the rounding of 32-bit " +
      "arithmetic); 0: only equal scores tie",
  },
} as const satisfies Arguments;

interface GivenTies {
  readonly "tie-tolerance": number | undefined;
}

export const tieOptions = ({ "tie-tolerance": tieTolerance }: GivenTies): TieOptions => ({
  tieTolerance,
});

/**
 * Reads what was given for --range: `LOW,HIGH` for every metric, or `METRIC=LOW,HIGH` for one.
 *
 * @throws InputError for another form, and for a metric given twice.
 */
export function parseRanges(texts: readonly string[]): (metric: string) => ScoreRange | undefined {
  const ranges = new Map<string | undefined, ScoreRange>();
  for (const text of texts) {
    const [, metric, ends = ""] = /^(?:(.+)=)?([^=]+)$/.exec(text) ?? [];
    const [low, high, ...more] = ends
      .split(",")
      .map((end) => (end.trim() === "" ? Number.NaN : Number(end)));
    if (low === undefined || high === undefined || more.length > 0 || !(low < high)) {
      throw new InputError(
        `Expected LOW,HIGH or METRIC=LOW,HIGH for --range but received "${text}"`,
        {
          hint: "Such as --range 0,1 or --range clip-score=0,2.5",
        },
      );
    }
    if (ranges.has(metric)) {
      throw new InputError(`Expected one --range for ${metric ?? "all metrics"} but received two`);
    }
    ranges.set(metric, [low, high]);
  }
  return (metric) => ranges.get(metric) ?? ranges.get(undefined);
}

/**
 * Reads two or more names, parted by commas, each once.
 *
 * @throws InputError for fewer, for an empty one, and for one that stands there twice.
 */
export function differentNames(
  flag: string,
  given: string,
  {
    what = flag,
    nameOf = (text) => text.trim(),
    hint,
  }: {
    /** What they name, in the plural. */
    readonly what?: string;
    readonly nameOf?: (text: string) => string;
    readonly hint: string;
  },
): string[] {
  const names = given.split(",").map(nameOf);
  if (names.length < 2 || names.includes("") || new Set(names).size < names.length) {
    throw new InputError(
      `Expected two or more different ${what} for --${flag} but received "${given}"`,
      { hint },
    );
  }
  return names;
}

/** A model and the column that holds its scores. */
export interface ModelColumn {
  readonly model: string;
  readonly column: string;
}

/**
 * Reads what was given for --scores, --humans or --methods: `MODEL=COLUMN,…`, or a column that is called as its
 * model.
 *
 * @throws InputError for another form, and for a model or a column given twice.
 * @example parseModelColumns("A=score_a,b", "scores")
 *   // [{ model: "A", column: "score_a" }, { model: "b", column: "b" }]
 */
export function parseModelColumns(text: string, flag: string): ModelColumn[] {
  const found = text.split(",").map((part): ModelColumn => {
    const [, model = "", column = ""] = /^([^=]+)=(.+)$/.exec(part) ?? ["", part, part];
    return { model: model.trim(), column: column.trim() };
  });
  const isTwice = (of: keyof ModelColumn) =>
    new Set(found.map((one) => one[of])).size < found.length;
  if (found.some(({ model }) => model === "") || isTwice("model") || isTwice("column")) {
    throw new InputError(`Expected MODEL=COLUMN,… for --${flag} but received "${text}"`, {
      hint: `Each model and column once, such as --${flag} A=score_a,B=score_b`,
    });
  }
  return found;
}

/** Measures of distances, errors and places, of which less is better. */
const ofDistance =
  /^(?:mean[-_. ]?)?(?:rank|(?:(?:clip[-_. ]?)?fid|kid|cmmd|lpips|dists|niqe|brisque|piqe|mse|rmse|mae|loss|errors?|error[-_. ]rate|distance|perplexity|nll)(?:[-_. ](?:vgg|alex|squeeze|score|value|loss|\d+k?))*)$/i;

/** Which scores are better, where a metric's name says that lower ones are; undefined where it says nothing. */
export const namedDirection = (metric: string): "lower" | undefined =>
  ofDistance.test(metric) || metric.includes("↓") ? "lower" : undefined;

/** The caveat that a direction was taken from a metric's name. */
export const namedDirectionText = (metric: string): string =>
  `${metric} counts as better when lower, by its name; if it isn't: --direction higher`;

/** Says which scores are better, whatever the table or the metric's name says. */
export const directionArgument = {
  kind: "choice",
  choices: ["higher", "lower"],
  description:
    "which scores are better (default: the column direction; else lower for distances, errors and ranks " +
    "by the metric's name, such as lpips, and higher for the rest)",
} as const;

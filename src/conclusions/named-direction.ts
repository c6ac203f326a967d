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

import { adjustments, comparisonTests } from "../../analysis/comparison/comparison-test.js";
import { labelSamplings } from "../../analysis/comparison/drawn-labels.js";
import type { Margin } from "../../analysis/comparison/margin-gate.js";
import { InputError } from "../../core/errors.js";
import type { Arguments, Given } from "../../core/options.js";
import { answeredArgument } from "../answered.js";
import {
  directionArgument,
  intervalArguments,
  permutationsArgument,
  tieArguments,
} from "../shared-options.js";

const marginArguments = {
  "not-worse": {
    kind: "number",
    value: "MARGIN",
    description:
      "with --baseline: exit 4 unless each mean is shown to be worse by less than MARGIN (one-sided, 95 %)",
  },
  same: {
    kind: "number",
    value: "MARGIN",
    description:
      "with --baseline: exit 4 unless each mean is shown to differ by less than MARGIN (two one-sided tests)",
  },
  self: {
    kind: "text",
    repeated: true,
    value: "FILE",
    description:
      "scores of the unchanged generator, run again: its noise says which margins can be shown at all",
  },
  power: {
    kind: "number",
    minimum: 0.5,
    maximum: 0.999,
    value: "P",
    description:
      "without --baseline: how many prompts show the margin of an unchanged generator with power P",
  },
  by: {
    kind: "text",
    value: "COLUMN",
    description: "with a margin: the same for each value of COLUMN, such as a skill, worst first",
  },
} as const satisfies Arguments;

/** More of them are rarely models: the column holds ids, or names of images. */
export const mostModels = 100;

export const options = {
  scores: {
    kind: "text",
    value: "A=COLUMN,B=COLUMN",
    description: "for wide tables: the column with each model's scores",
  },
  humans: {
    kind: "text",
    value: "A=COLUMN,B=COLUMN",
    description: "for --scores: the column with human ratings of each model",
  },
  metric: {
    kind: "text",
    value: "NAME",
    description: "the metric to compare by, where the column metric names several",
  },
  direction: directionArgument,
  test: {
    kind: "choice",
    choices: comparisonTests,
    default: "sign-flip",
    description: "the paired two-sided test of prompt differences",
  },
  adjust: {
    kind: "choice",
    choices: adjustments,
    default: "holm",
    description: "adjusts p-values for the number of pairs",
  },
  permutations: permutationsArgument(
    "random sign flips above 20 prompts (up to 20, all are enumerated; above 10,000, their normal limit)",
  ),
  labels: {
    kind: "choice",
    choices: labelSamplings,
    default: "random",
    description: "how the labelled rows were selected; only random labels correct the metric",
  },
  ...answeredArgument,
  range: {
    kind: "text",
    value: "LOW,HIGH",
    description:
      "the metric's possible range, for bounds over unscored rows (default: the observed range)",
  },
  baseline: {
    kind: "text",
    value: "FILE",
    description: "exit 4 if a model became worse than in this file: a .json of compare, or a table",
  },
  "fail-under": {
    kind: "number",
    description: "exit 4 if a mean is below N; with --baseline, if a change is below N",
  },
  ...marginArguments,
  gate: {
    kind: "choice",
    choices: ["per-prompt"],
    description:
      "exit 4 if a prompt falls below its own threshold more often than allowed: columns threshold and allowance, else " +
      "its scores in --baseline; at most 1 % of builds fail by chance",
  },
  "images-at": {
    kind: "text",
    value: "URL",
    description:
      "for --gate: where readers of the Markdown find the images, as a start of their addresses",
  },
  "many-models": {
    kind: "switch",
    description: `also compare more than ${mostModels} models; time grows with the number of pairs`,
  },
  ...tieArguments,
  ...intervalArguments,
} as const satisfies Arguments;

type GivenMargin = Given<typeof marginArguments> & {
  readonly baseline: string | undefined;
  readonly "fail-under": number | undefined;
  readonly interval: string | undefined;
  readonly gate?: string | undefined;
};

/**
 * The margin that was given, if one was.
 *
 * @throws InputError for one that is not above 0, two of them, none where others need it, and one with nothing to
 *   hold it against.
 */
export function givenMargin(given: GivenMargin): Margin | undefined {
  const { "not-worse": notWorse, same, self, power, by, baseline, interval } = given;
  const flag = notWorse === undefined ? "same" : "not-worse";
  refuseBesideGate(given);
  const margin = notWorse ?? same;
  if (margin === undefined) {
    const idle = self.length > 0 ? "self" : power !== undefined ? "power" : by && "by";
    if (idle === undefined) return undefined;
    throw new InputError(`Expected --not-worse or --same for --${idle} but received neither`, {
      hint: "The largest drop that is still as good: --not-worse 0.02",
    });
  }
  if (!(margin > 0)) {
    throw new InputError(`Expected a number above 0 for --${flag} but received ${margin}`, {
      hint: "It is the largest drop that is still as good, in the metric's own unit",
    });
  }
  if (notWorse !== undefined && same !== undefined) {
    throw new InputError("Expected --not-worse or --same but received both", {
      hint: "--same holds a margin at both ends, --not-worse at the lower one",
    });
  }
  if (given["fail-under"] !== undefined) {
    throw new InputError(`Expected --${flag} or --fail-under but received both`, {
      hint: "--fail-under judges the mean change itself, a margin the end of its interval",
    });
  }
  if (interval !== undefined && interval !== "t") {
    throw new InputError(
      `Expected t or nothing for --interval with --${flag} but received ${interval}`,
      {
        hint: "By default Student's t is corrected for skewness and for scores of few values",
      },
    );
  }
  if ((baseline === undefined) === (power === undefined)) {
    const what = baseline === undefined ? "neither" : "both";
    throw new InputError(`Expected --baseline or --power for --${flag} but received ${what}`, {
      hint: "--baseline FILE judges a change; --power 0.8 says how many prompts that takes",
    });
  }
  return { notWorse: notWorse ?? null, same: same ?? null };
}

/** A gate by prompt judges no mean. */
function refuseBesideGate({
  gate,
  "not-worse": notWorse,
  same,
  "fail-under": failUnder,
}: GivenMargin) {
  const idle = Object.entries({ "not-worse": notWorse, same, "fail-under": failUnder }).find(
    ([, value]) => value !== undefined,
  );
  if (gate === undefined || idle === undefined) return;
  throw new InputError(`Expected --gate ${gate} or --${idle[0]} but received both`, {
    hint: `--gate ${gate} judges prompts, --${idle[0]} means`,
  });
}

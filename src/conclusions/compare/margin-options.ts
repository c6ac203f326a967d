import type { Margin } from "../../analysis/comparison/margin-gate.js";
import { InputError } from "../../core/errors.js";
import type { Arguments, Given } from "../../core/options.js";

export const marginArguments = {
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

import { hasDefect, type Sanity } from "../../analysis/sanity/sanity-text.js";
import { GateError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";

/** Flags of verbs that show images to models. */
export const sanityArguments = {
  "no-sanity": {
    kind: "switch",
    description: "don't check whether models see their images and metrics read their texts",
  },
  "allow-blind": {
    kind: "switch",
    description: "go on with a model that does not see its images; results are marked",
  },
} as const satisfies Arguments;

/** Flag that makes a defect fail a pipeline. */
export const failOnArguments = {
  "fail-on": {
    kind: "choice",
    choices: ["defect"],
    value: "defect",
    description:
      "exit with code 4 where a model is blind, a metric doesn't read its texts or look at its images, or " +
      "nothing was checked",
  },
} as const satisfies Arguments;

/** @throws GateError where --fail-on is given and there is a defect, or nothing was checked. */
export function refuseDefects(
  failOn: "defect" | undefined,
  sanity: (Sanity & { readonly verdict: string }) | undefined,
): void {
  if (failOn === undefined) return;
  const metrics = Object.values(sanity?.metrics ?? {});
  const isSilent = metrics.every(({ state }) => state === "skipped");
  if (sanity === undefined || isSilent) {
    throw new GateError("Expected checked metrics for --fail-on defect but nothing was checked", {
      hint: "Score without --no-sanity: touchstone score --help",
    });
  }
  if (hasDefect(sanity)) throw new GateError(`The sanity checks found a defect: ${sanity.verdict}`);
}

export interface SanityChoice {
  readonly isOn: boolean;
  readonly allowsBlind: boolean;
}

export const sanityOf = (given: {
  readonly "no-sanity": boolean;
  readonly "allow-blind": boolean;
}): SanityChoice => ({ isOn: !given["no-sanity"], allowsBlind: given["allow-blind"] });

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

export interface SanityChoice {
  readonly isOn: boolean;
  readonly allowsBlind: boolean;
}

export const sanityOf = (given: {
  readonly "no-sanity": boolean;
  readonly "allow-blind": boolean;
}): SanityChoice => ({ isOn: !given["no-sanity"], allowsBlind: given["allow-blind"] });

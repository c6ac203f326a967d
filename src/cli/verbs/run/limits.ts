import type { Arguments, Given } from "../../../core/options.js";
import { Budget, type Limits } from "../../../runs/budget.js";

/** Flags that limit what is spent. */
export const spendingArguments = {
  "max-calls": {
    kind: "number",
    integer: true,
    minimum: 0,
    value: "N",
    description: "stop after N calls; exit 3 and print the resume command",
  },
  "max-cost": {
    kind: "number",
    minimum: 0,
    value: "DOLLARS",
    description:
      "stop before the cost exceeds this; needs the price of every model (price, " +
      "pricePerImage of generators, pricePerMillionTokens of embedders, in " +
      "touchstone.config.yaml). The planned calls and their cost are printed first",
  },
  "max-minutes": {
    kind: "number",
    minimum: 0,
    value: "N",
    description: "stop after N minutes; exit 3 and print the resume command",
  },
} as const satisfies Arguments;

/** Flags of a verb that makes a run. */
export const limitArguments = {
  ...spendingArguments,
  plan: {
    kind: "switch",
    description:
      "write the run and its recipe and ask nothing: run plan then writes tasks for other machines, and " +
      "run resume asks here",
  },
} as const satisfies Arguments;

/** For a command line that names no limits: who goes on may spend anew. */
export const withoutLimits = {
  "max-calls": undefined,
  "max-cost": undefined,
  "max-minutes": undefined,
  plan: undefined,
};

export type GivenLimits = Given<typeof spendingArguments> & { readonly plan?: boolean };

/** What a command may spend. */
export const budgetOf = (given: GivenLimits): Budget =>
  new Budget(limitsOf(given), undefined, { isPlan: given.plan === true });

function limitsOf(given: GivenLimits): Limits {
  const { "max-calls": calls, "max-cost": cost, "max-minutes": minutes } = given;
  return {
    ...(calls === undefined ? {} : { calls }),
    ...(cost === undefined ? {} : { cost }),
    ...(minutes === undefined ? {} : { seconds: 60 * minutes }),
  };
}

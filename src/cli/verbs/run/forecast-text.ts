import type { Forecast, Foreseen, RunEvent } from "../../../core/step.js";
import type { Limits } from "../../../runs/budget.js";
import { pluralText } from "../../../views/number-text.js";
import { dollars } from "../../terminal/numbers.js";

/**
 * Describes a forecast's calls, cost and limits.
 *
 * @example "about 120 calls, about $0.31 (prices of 2026-04), at most $2"
 */
export function forecastText(
  { calls, cost, unpriced, prices }: Forecast,
  limits: Limits = {},
): string {
  const from = prices.length === 0 ? "" : ` (prices of ${prices.join(", ")})`;
  return [
    `about ${pluralText(calls, "call")}`,
    cost === undefined
      ? `at a cost that is not known (no price of ${unpriced.join(", ")})`
      : `about ${dollars(cost)}${from}`,
    ...limitTexts(limits),
  ].join(", ");
}

/** A step of a run as a forecast in JSON has it; undefined for one that is free or has nothing left to do. */
export function foreseenStep(what: string, event: RunEvent): Foreseen | undefined {
  if (event.kind === "step-unforeseen") return { what, tasks: null, calls: null, cost: null };
  if (event.kind !== "step-planned" || event.isFree || event.total === event.reused)
    return undefined;
  const { calls = null, cost = null } = event.forecast ?? {};
  return { what, tasks: event.total - event.reused, calls, cost };
}

const limitTexts = ({ calls, cost, seconds }: Limits): string[] => [
  ...(cost === undefined ? [] : [`at most ${dollars(cost)}`]),
  ...(calls === undefined ? [] : [`to stop after ${calls}`]),
  ...(seconds === undefined ? [] : [`to stop after ${Number((seconds / 60).toPrecision(3))} min`]),
];

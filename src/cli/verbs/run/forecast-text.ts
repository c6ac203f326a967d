import type { Forecast } from "../../../core/step.js";
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

const limitTexts = ({ calls, cost, seconds }: Limits): string[] => [
  ...(cost === undefined ? [] : [`at most ${dollars(cost)}`]),
  ...(calls === undefined ? [] : [`to stop after ${calls}`]),
  ...(seconds === undefined ? [] : [`to stop after ${Number((seconds / 60).toPrecision(3))} min`]),
];

import type { Metric } from "../../../core/metric.js";
import type { Forecast, Foreseen, RunEvent } from "../../../core/step.js";
import type { Limits } from "../../../runs/budget.js";
import { pluralText } from "../../../views/number-text.js";
import type { Environment } from "../../environment.js";
import { dollars } from "../../terminal/numbers.js";
import type { Output } from "../../terminal/output.js";
import { progressOf } from "../score/score-progress.js";
import type { Spending } from "../score/spending.js";

/**
 * How a run about the items of a table or a folder is told of: in one line over its steps. What stopped it is handed
 * to the verb, which writes what is there.
 */
export interface ToldItems {
  /** What is done with them, such as "Scoring". */
  readonly doing: string;
  /** Steps that are told of, by id, with what forecasts call them; "" is not named. */
  readonly told: ReadonlyMap<string, string>;
  /** Results of these steps. */
  readonly total: number;
  /** Whether an interruption also stops what is in hand. */
  readonly cancels?: boolean;
  /** Throws in place of the error that ended the run where there is more to say. */
  readonly explain?: () => Promise<void>;
  /** Names a metric where it is checked. */
  readonly nameOf?: (metric: Metric) => string;
}

/** Shows a run about items; hand the result to `runSteps` as `onEvent`. */
export function itemProgress(
  { doing, told, total }: ToldItems,
  {
    spending,
    limits,
    environment,
    output,
  }: {
    readonly spending: Spending;
    readonly limits: Limits;
    readonly environment: Environment;
    readonly output: Output;
  },
): (event: RunEvent) => void {
  const show = progressOf(`${doing}:`, total, { environment, output });
  const counts = { done: 0, unscored: 0 };
  return (event) => {
    const name = told.get(event.step);
    if (name === undefined) return;
    const ahead = foreseenStep(name === "" ? doing : `${doing} by ${name}`, event);
    if (ahead !== undefined) output.foresee(ahead);
    if (event.kind === "step-planned") {
      counts.done += event.reused;
      const { forecast } = event;
      if (forecast === undefined || forecast.calls === 0) return;
      const by = name === "" ? "" : ` by ${name}`;
      output.note(`${doing}${by}: ${forecastText(forecast, limits)}`);
    }
    if (event.kind !== "record") return;
    counts.done++;
    spending.results++;
    if (event.record.status === "unscored") counts.unscored++;
    show(counts.done, counts.unscored, spending.text);
  };
}

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

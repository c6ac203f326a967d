import type { Metric } from "../../../core/metric.js";
import type { RunEvent } from "../../../core/step.js";
import type { Limits } from "../../../runs/budget.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { progressOf } from "../score/score-progress.js";
import type { Spending } from "../score/spending.js";
import { forecastText, foreseenStep } from "./forecast-text.js";

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

import { z } from "zod";
import type { JsonObject } from "../core/json.js";
import type { RecordStore } from "../core/record-store.js";
import { stepId } from "../core/step.js";

/** Cost of the calls of a task. */
export interface Spent {
  /** US dollars, as far as it was said, else as it was forecast. */
  readonly cost: number;
  /** Whether a cache gave all answers. */
  readonly cached: boolean;
  /** Calls that were made. */
  readonly calls: number;
  /** Calls that were made and did not say what they cost. */
  readonly unpriced: number;
  /** Those among them whose cost is a forecast. */
  readonly forecast: number;
}

/** Sums what calls cost, as their trace entries tell. */
export class CallCosts {
  #cost = 0;
  #cached = 0;
  #others = 0;
  #unpriced = 0;
  #forecast = 0;

  readonly note = ({ kind, cost, cached, isForecast, isBilled }: JsonObject): void => {
    if (typeof cost === "number") this.#cost += cost;
    if (typeof cached === "boolean") {
      if (cached) this.#cached++;
      else this.#others++;
    }
    if (isForecast === true) this.#forecast++;
    const isTold = typeof cost === "number" && isForecast !== true;
    if (isBilled === true || (kind === "model-call" && cached !== true && !isTold))
      this.#unpriced++;
  };

  get spent(): Spent {
    return {
      cost: this.#cost,
      cached: this.#cached > 0 && this.#others === 0,
      calls: this.#others,
      unpriced: this.#unpriced,
      forecast: this.#forecast,
    };
  }
}

const entrySchema = z.object({
  /** `name@version` */
  step: z.string(),
  part: z.string().optional(),
  kind: z.string().optional(),
  cost: z.number().optional(),
});

/**
 * Mean cost of a call of a step so far, by the step's id, in US dollars, as the trace of the run says;
 * `undefined` where it says nothing. The trace is read when it is first asked for.
 */
export function costsOfCalls(run: RecordStore): (step: string) => Promise<number | undefined> {
  let read: Promise<Map<string, { calls: number; cost: number }>> | undefined;
  return async (step) => {
    read ??= readCosts(run);
    const found = (await read).get(step);
    return found === undefined || found.cost === 0 ? undefined : found.cost / found.calls;
  };
}

async function readCosts(run: RecordStore) {
  const found = new Map<string, { calls: number; cost: number }>();
  for await (const value of run.trace()) {
    const { data } = entrySchema.safeParse(value);
    if (data === undefined) continue;
    const id = stepId({ name: data.step.replace(/@\d+$/, ""), part: data.part });
    const sum = found.get(id) ?? { calls: 0, cost: 0 };
    if (data.kind === "asked") sum.calls++;
    sum.cost += data.cost ?? 0;
    found.set(id, sum);
  }
  return found;
}

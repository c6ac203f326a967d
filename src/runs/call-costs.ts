import type { JsonObject } from "../core/json.js";

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

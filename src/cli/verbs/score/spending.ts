import type { JsonObject } from "../../../core/json.js";
import { dollars } from "../../terminal/numbers.js";

/** Cost of calls to hosted models so far, as their traces tell. */
export class Spending {
  /** Calls that were answered, readably or not. */
  calls = 0;
  /** Calls that the cache answered, at no cost. */
  cached = 0;
  /** Calls of which no price is known. */
  unpriced = 0;
  /** Calls whose cost is a forecast, since the server's count of tokens is missing or can't be true. */
  forecast = 0;
  /** US dollars, without the unpriced. */
  cost = 0;
  /** Results that were asked for. */
  results = 0;

  readonly note = (entry: JsonObject): void => {
    if (entry.isBilled === true) {
      this.calls++;
      this.unpriced++;
    }
    if (entry.kind !== "model-call") return;
    if (entry.cached === true) {
      this.cached++;
      return;
    }
    this.calls++;
    if (typeof entry.cost === "number") this.cost += entry.cost;
    else this.unpriced++;
    if (entry.isForecast === true) this.forecast++;
  };

  /** Dollars that one of so many results costs, were all asked; undefined where that is not known. */
  costOf(results: number): number | undefined {
    const { calls, cached, unpriced, cost } = this;
    return calls === 0 || unpriced > 0 ? undefined : ((cost / calls) * (calls + cached)) / results;
  }

  /**
   * For a line of progress; empty where no hosted model was asked.
   *
   * @example "$0.0123, 5 cached"
   */
  get text(): string {
    const parts: string[] = [];
    if (this.calls > this.unpriced) parts.push(dollars(this.cost));
    if (this.forecast > 0) parts.push(`${this.forecast} by forecast`);
    if (this.unpriced > 0) parts.push(`${this.unpriced} of unknown cost`);
    if (this.cached > 0) parts.push(`${this.cached} cached`);
    return parts.join(", ");
  }

  /** Dollars are null where the price of any call is not known: a part of a sum is none. */
  toJSON() {
    const { calls, cached, unpriced, forecast } = this;
    return {
      calls,
      cached,
      cost: unpriced > 0 ? null : this.cost,
      ...(forecast > 0 ? { forecast } : {}),
    };
  }
}

import { z } from "zod";
import type { ChatReply } from "../../core/models.js";
import { priceList } from "./price-list.js";

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });

/** The price of a model in data/prices.yaml; `undefined` where it is not known. */
export const knownPrice = priceList("prices.yaml", price);

/** US dollars of a call; `undefined` where price or usage is not known. */
export function costOf(usage: ChatReply["usage"], price: Price | undefined): number | undefined {
  if (usage === undefined || price === undefined) return undefined;
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6;
}

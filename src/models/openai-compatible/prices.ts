import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { ChatReply } from "../../core/models.js";

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });
const schema = z.array(
  z.strictObject({
    baseUrl: z.url(),
    asOf: z.string().regex(/^\d{4}-\d{2}$/),
    source: z.url(),
    models: z.record(z.string(), price),
  }),
);

let loaded: z.output<typeof schema> | undefined;

/** The price of a model in data/prices.yaml; `undefined` where it is not known. */
export function knownPrice(baseUrl: string, model: string): Price | undefined {
  loaded ??= schema.parse(
    parse(readFileSync(new URL("../../../data/prices.yaml", import.meta.url), "utf8")),
  );
  const models = loaded.find((list) => list.baseUrl === baseUrl)?.models ?? {};
  return Object.hasOwn(models, model) ? models[model] : undefined;
}

/** US dollars of a call; `undefined` where price or usage is not known. */
export function costOf(usage: ChatReply["usage"], price: Price | undefined): number | undefined {
  if (usage === undefined || price === undefined) return undefined;
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6;
}

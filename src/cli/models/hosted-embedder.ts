import type { Model } from "../../core/models.js";
import { configurationFile } from "../configuration/configuration.js";
import type { HostedEmbedderSettings } from "../configuration/configuration-schema.js";
import type { Hosting } from "./hosting.js";
import { unknownPrice } from "./unknown-price.js";

/** A model of embeddings behind OpenAI's wire format, by keys and addresses as of `hostedModel`. */
export async function hostedEmbedder(
  {
    model,
    revision,
    baseUrl,
    keyVariable,
    longestSide,
    concurrency,
    requestsPerMinute,
    timeoutSeconds,
    stallSeconds,
    attempts,
    pricePerMillionTokens: price,
  }: Omit<HostedEmbedderSettings, "provider">,
  { variables, replies, client: clientOf, maxCost, meter }: Hosting,
): Promise<{ model: Model; callsAtOnce: number; load: () => Promise<void> }> {
  const [{ openAiBaseUrl }, { openAiEmbeddings }] = await Promise.all([
    import("../../models/openai-compatible/openai-compatible.js"),
    import("../../models/openai-embeddings/openai-embeddings.js"),
  ]);
  const isNamedByEnvironment = baseUrl === undefined || baseUrl === openAiBaseUrl;
  const keyName = keyVariable ?? (isNamedByEnvironment ? "OPENAI_API_KEY" : "");
  const client = await clientOf({
    keyName,
    baseUrl: baseUrl ?? (variables.OPENAI_BASE_URL || openAiBaseUrl),
    apiKey: keyName === "" ? undefined : variables[keyName],
    limits: { concurrency, requestsPerMinute },
    timeOuts: {
      ...(timeoutSeconds === undefined ? {} : { total: timeoutSeconds * 1000 }),
      ...(stallSeconds === undefined ? {} : { stall: stallSeconds * 1000 }),
    },
    attempts,
  });
  const [{ cachedEmbedder, embeddingKey }, { expectedEmbeddingCost }] = await Promise.all([
    import("../../models/cache/cached-embedder.js"),
    import("../../models/prices/token-prices.js"),
  ]);
  const asked = openAiEmbeddings(model, {
    keyName,
    client,
    revision,
    longestSide,
    pricePerMillionTokens: price,
  });
  const settings = longestSide === undefined ? {} : { longestSide };
  const metered = meter.ofEmbedder(
    asked,
    price === undefined
      ? undefined
      : {
          from: configurationFile,
          isExact: false,
          expected: (request) =>
            expectedEmbeddingCost(request, price, { longestSide: longestSide ?? 1024 }),
        },
    {
      keyOf: (request) => embeddingKey(asked.identity, settings, request),
      onRecalled: asked.answered,
    },
  );
  meter.watch(metered);
  return {
    model: cachedEmbedder(metered, replies, { settings, onKept: asked.answered }),
    callsAtOnce: concurrency ?? 16,
    async load() {
      if (maxCost !== undefined && price === undefined)
        throw unknownPrice(asked, "pricePerMillionTokens");
    },
  };
}

import type { ImageEmbedder, Model, TextEmbedder } from "../../core/models.js";
import type { HostedEmbedderSettings } from "../configuration/configuration-schema.js";
import type { Hosting } from "./hosting.js";

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
  }: Omit<HostedEmbedderSettings, "provider">,
  { variables, cacheDirectory, client: clientOf }: Hosting,
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
  const asked = openAiEmbeddings(model, { keyName, client, revision, longestSide });
  return {
    model:
      cacheDirectory === undefined ? asked : await kept(asked, { cacheDirectory, longestSide }),
    callsAtOnce: concurrency ?? 16,
    load: async () => {},
  };
}

async function kept(
  model: ImageEmbedder & TextEmbedder,
  {
    cacheDirectory,
    longestSide,
  }: { readonly cacheDirectory: string; readonly longestSide: number | undefined },
): Promise<Model> {
  const [{ cachedEmbedder }, { ReplyStore }] = await Promise.all([
    import("../../models/cache/cached-embedder.js"),
    import("../../models/cache/reply-store.js"),
  ]);
  const settings = longestSide === undefined ? {} : { longestSide };
  return cachedEmbedder(model, new ReplyStore(cacheDirectory), settings);
}

import { InputError } from "../../core/errors.js";
import { type Model, modelFacts, modelName, placedName } from "../../core/models.js";
import { defaultLongestSide } from "../../models/chat/chat-adapter.js";
import { chatProviders } from "../../models/chat-providers.js";
import { configurationFile } from "../configuration/configuration.js";
import type {
  HostedEmbedderSettings,
  HostedModelSettings,
} from "../configuration/configuration-schema.js";
import { type Hosting, timeOutsOf } from "./hosting.js";

/** So many answers make P(yes) of a model without log-probabilities, where the settings do not say. */
const usualSamples = { samples: 5 } as const;

/**
 * A hosted chat model, its replies kept, that also answers questions about images.
 *
 * The key of OPENAI_API_KEY goes to OpenAI and to the address in OPENAI_BASE_URL alone; for an
 * address in the settings the variable that holds its key is named there (keyVariable). The key of a
 * provider with a format of its own goes to its address or to the one in the settings.
 */
export async function hostedModel(
  { provider, model, revision, baseUrl, keyVariable, yesNo, ...settings }: HostedModelSettings,
  hosting: Hosting,
): Promise<{ model: Model; callsAtOnce: number; load: () => Promise<void> }> {
  const adapter = await chatProviders[provider].load();
  const isNative = adapter.keyHeader !== undefined;
  const { answersQuestions } = await import("../../models/chat/answers-questions.js");
  const { variables } = hosting;
  const { baseUrlName = "", keyHeader, headers } = adapter;
  const address = baseUrl ?? (variables[baseUrlName] || adapter.baseUrl);
  const isOwnKey = isNative || baseUrl === undefined || baseUrl === adapter.baseUrl;
  const keyName = keyVariable ?? (isOwnKey ? adapter.keyName : "");
  const apiKey = variables[keyName];
  const { concurrency, requestsPerMinute, tokensPerMinute } = settings;
  const { timeoutSeconds, stallSeconds, attempts, longestSide, price } = settings;
  const client = await hosting.client({
    keyName,
    baseUrl: address,
    apiKey,
    keyHeader,
    headers,
    limits: { concurrency, requestsPerMinute, tokensPerMinute },
    timeOuts: timeOutsOf({ timeoutSeconds, stallSeconds }),
    attempts,
  });
  const { cachedChat, replyKey } = await import("../../models/cache/cached-chat.js");
  const { expectedCost, listedPrice } = await import("../../models/prices/token-prices.js");
  const listed = listedPrice(client.baseUrl, model);
  const known = price ?? listed?.price;
  const asked = await adapter.make(model, { keyName, client, revision, longestSide, price: known });
  const metered = hosting.meter.ofChat(
    asked,
    known && {
      from: price === undefined ? (listed?.asOf ?? "") : configurationFile,
      isExact: false,
      expected: (request) =>
        expectedCost(request, known, { longestSide: longestSide ?? defaultLongestSide }),
    },
    {
      keyOf: (request, trial) => replyKey(asked.identity, request, trial),
      onRecalled: asked.answered,
    },
  );
  const kept = cachedChat(metered, hosting.replies, { onKept: asked.answered });
  const answering = {
    ...answersQuestions(kept, { way: wayOf(yesNo ?? (isNative ? usualSamples : undefined)) }),
    ...(asked.givesLogProbabilities === false ? { givesLogProbabilities: false } : {}),
  };
  hosting.meter.watch(answering);
  return {
    model: answering,
    callsAtOnce: concurrency ?? 16,
    async load() {
      if (hosting.maxCost !== undefined && known === undefined) {
        throw unknownPrice(asked, "price");
      }
      if (isNative && yesNo === undefined) {
        hosting.tell?.(
          `${model}: P(yes) is the share of yes among ${usualSamples.samples} sampled answers, as ${provider} ` +
            "gives no log-probabilities (yesNo in the settings)",
        );
      }
      if (client.baseUrl !== adapter.baseUrl || client.hasKey) return;
      throw new InputError(
        `Expected a key for ${adapter.baseUrl} in ${keyName} but it is not set`,
        {
          hint:
            `Set it in the environment or in .env: ${keyName}=… For a server of your own set ` +
            `${baseUrlName === "" ? "" : `${baseUrlName}, or `}baseUrl in touchstone.config.yaml (touchstone doctor init)`,
        },
      );
    },
  };
}

function wayOf(yesNo: HostedModelSettings["yesNo"]) {
  if (yesNo === undefined || yesNo === "tokens") return undefined;
  if (yesNo === "verbalized") return { kind: "verbalized" } as const;
  const { samples: count, temperature } = yesNo;
  return { kind: "samples", count, ...(temperature === undefined ? {} : { temperature }) } as const;
}

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
    timeOuts: timeOutsOf({ timeoutSeconds, stallSeconds }),
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
            expectedEmbeddingCost(request, price, {
              longestSide: longestSide ?? defaultLongestSide,
            }),
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

/** How a price is given in the settings of a model, with an example. */
const examples = {
  price: {
    member: "price: { input: 0.15, output: 0.6 }",
    unit: "US dollars for a million tokens",
    free: "price: { input: 0, output: 0 }",
    list: "data/prices.yaml",
  },
  pricePerMillionTokens: {
    member: "pricePerMillionTokens: 0.02",
    unit: "US dollars for a million tokens",
    free: "pricePerMillionTokens: 0",
    list: undefined,
  },
  pricePerImage: {
    member: "pricePerImage: 0.04",
    unit: "US dollars for an image",
    free: "pricePerImage: 0",
    list: "data/image-prices.yaml",
  },
} as const;

/** A limit of dollars means nothing where a price is not known; how to give one. */
export function unknownPrice({ identity }: Model, setting: keyof typeof examples): InputError {
  const { provider, model } = identity;
  const { baseUrl } = modelFacts(identity);
  const { member, unit, free, list } = examples[setting];
  const address = baseUrl === undefined ? "" : `, baseUrl: "${baseUrl}"`;
  return new InputError(
    `Expected a known price of ${placedName(identity)} for --max-cost but there is none; nothing was asked`,
    {
      hint: [
        `Give it in touchstone.config.yaml, in ${unit}, and name the model mine in place of ${modelName(identity)}:`,
        "  models:",
        `    mine: { provider: ${provider}, model: "${model}"${address}, ${member} }`,
        `A server of your own costs nothing: ${free}.${
          list === undefined ? "" : ` ${list} lists the prices that are known.`
        } --max-calls limits without a price.`,
      ].join("\n"),
    },
  );
}

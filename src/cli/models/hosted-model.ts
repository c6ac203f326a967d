import { InputError } from "../../core/errors.js";
import type { Model } from "../../core/models.js";
import { configurationFile } from "../configuration/configuration.js";
import type { HostedModelSettings } from "../configuration/configuration-schema.js";
import type { Hosting } from "./hosting.js";
import { unknownPrice } from "./unknown-price.js";

/**
 * A chat model behind OpenAI's wire format, its replies kept, that also answers questions about
 * images.
 *
 * The key of OPENAI_API_KEY goes to OpenAI and to the address in OPENAI_BASE_URL alone; for an
 * address in the settings the variable that holds its key is named there (keyVariable).
 */
export async function hostedModel(
  {
    model,
    revision,
    baseUrl,
    keyVariable,
    yesNo,
    ...settings
  }: Omit<HostedModelSettings, "provider">,
  hosting: Hosting,
): Promise<{ model: Model; callsAtOnce: number; load: () => Promise<void> }> {
  const { openAiBaseUrl, openAiCompatible } = await import(
    "../../models/openai-compatible/openai-compatible.js"
  );
  const { answersQuestions } = await import("../../models/chat/answers-questions.js");
  const { variables } = hosting;
  const address = baseUrl ?? (variables.OPENAI_BASE_URL || openAiBaseUrl);
  const isNamedByEnvironment = baseUrl === undefined || baseUrl === openAiBaseUrl;
  const keyName = keyVariable ?? (isNamedByEnvironment ? "OPENAI_API_KEY" : undefined);
  const apiKey = keyName === undefined ? undefined : variables[keyName];
  const { concurrency, requestsPerMinute, tokensPerMinute } = settings;
  const { timeoutSeconds, stallSeconds, attempts, longestSide, price } = settings;
  const shared = { keyName: keyName ?? "" };
  const client = await hosting.client({
    ...shared,
    baseUrl: address,
    apiKey,
    limits: { concurrency, requestsPerMinute, tokensPerMinute },
    timeOuts: {
      ...(timeoutSeconds === undefined ? {} : { total: timeoutSeconds * 1000 }),
      ...(stallSeconds === undefined ? {} : { stall: stallSeconds * 1000 }),
    },
    attempts,
  });
  const { cachedChat, replyKey } = await import("../../models/cache/cached-chat.js");
  const { expectedCost, listedPrice } = await import("../../models/prices/token-prices.js");
  const listed = listedPrice(client.baseUrl, model);
  const known = price ?? listed?.price;
  const asked = openAiCompatible(model, { ...shared, client, revision, longestSide, price: known });
  const metered = hosting.meter.ofChat(
    asked,
    known && {
      from: price === undefined ? (listed?.asOf ?? "") : configurationFile,
      isExact: false,
      expected: (request) => expectedCost(request, known, { longestSide: longestSide ?? 1024 }),
    },
    {
      keyOf: (request, trial) => replyKey(asked.identity, request, trial),
      onRecalled: asked.answered,
    },
  );
  const kept = cachedChat(metered, hosting.replies, { onKept: asked.answered });
  const answering = answersQuestions(kept, { way: wayOf(yesNo) });
  hosting.meter.watch(answering);
  return {
    model: answering,
    callsAtOnce: concurrency ?? 16,
    async load() {
      if (hosting.maxCost !== undefined && known === undefined) {
        throw unknownPrice(asked, "price");
      }
      if (client.baseUrl !== openAiBaseUrl || client.hasKey) return;
      throw new InputError(`Expected a key for ${openAiBaseUrl} in ${keyName} but it is not set`, {
        hint:
          `Set it in the environment or in .env: ${keyName}=… For a server of your own set ` +
          "OPENAI_BASE_URL, or baseUrl in touchstone.config.yaml (touchstone init)",
      });
    },
  };
}

function wayOf(yesNo: HostedModelSettings["yesNo"]) {
  if (yesNo === undefined || yesNo === "tokens") return undefined;
  if (yesNo === "verbalized") return { kind: "verbalized" } as const;
  const { samples: count, temperature } = yesNo;
  return { kind: "samples", count, ...(temperature === undefined ? {} : { temperature }) } as const;
}

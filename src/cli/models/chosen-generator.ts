import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import type { ImageGenerator } from "../../core/models.js";
import type { OpenAiImagesOptions } from "../../models/openai-images/openai-images.js";
import { configurationFile } from "../configuration/configuration.js";
import type { HostedGeneratorSettings } from "../configuration/configuration-schema.js";
import { unknownPrice } from "./hosted-models.js";
import type { Hosting } from "./hosting.js";

export type HostedProvider = HostedGeneratorSettings["provider"];

interface Provider {
  readonly baseUrl: string;
  readonly keyName: string;
  /** The environment variable that holds another base URL. */
  readonly baseUrlName?: string;
  make(model: string, options: OpenAiImagesOptions): Promise<ImageGenerator>;
}

const providers: Readonly<Record<HostedProvider, Provider>> = {
  "openai-images": {
    baseUrl: "https://api.openai.com/v1",
    keyName: "OPENAI_API_KEY",
    baseUrlName: "OPENAI_BASE_URL",
    async make(model, options) {
      const { openAiImages } = await import("../../models/openai-images/openai-images.js");
      return openAiImages(model, options);
    },
  },
  replicate: {
    baseUrl: "https://api.replicate.com/v1",
    keyName: "REPLICATE_API_TOKEN",
    async make(model, { size: _size, quality: _quality, ...options }) {
      const { replicate } = await import("../../models/replicate/replicate.js");
      return replicate(model, options);
    },
  },
  fal: {
    baseUrl: "https://queue.fal.run",
    keyName: "FAL_KEY",
    async make(model, { size: _size, quality: _quality, revision, ...options }) {
      if (revision !== undefined) {
        throw new InputError(
          `Expected fal:ID without a revision but received "${revision}"; fal has none`,
        );
      }
      const { fal } = await import("../../models/fal/fal.js");
      return fal(model, options);
    },
  },
};

/** A generator behind HTTP, as it was chosen. */
export interface HostedGenerator {
  readonly model: ImageGenerator;
  readonly callsAtOnce: number;
  /** Says now what would fail at the first image: a key that is not there. */
  load(): Promise<void>;
}

type Settings = Partial<
  Omit<Extract<HostedGeneratorSettings, { provider: "openai-images" }>, "provider" | "model">
>;

/**
 * A generator of images at a provider. The provider's own key goes to its own address and to the one
 * that the environment names alone; for an address in the settings the variable that holds its key is
 * named there (keyVariable).
 */
export async function hostedGenerator(
  provider: HostedProvider,
  model: string,
  { baseUrl, keyVariable, pricePerImage, input, ...settings }: Settings,
  { variables, tell, maxCost, meter }: Hosting,
): Promise<HostedGenerator> {
  const { make, ...own } = providers[provider];
  const ofEnvironment = own.baseUrlName === undefined ? undefined : variables[own.baseUrlName];
  const address = baseUrl ?? (ofEnvironment || own.baseUrl);
  const isOwnKey = baseUrl === undefined || baseUrl === own.baseUrl;
  const keyName = keyVariable ?? (isOwnKey ? own.keyName : undefined);
  const apiKey = keyName === undefined ? undefined : variables[keyName];
  const { revision, size, quality, attempts } = settings;
  const { concurrency = 4, requestsPerMinute, timeoutSeconds, stallSeconds } = settings;
  const generator = await make(model, {
    baseUrl: address,
    keyName: keyName ?? "",
    apiKey,
    limits: { concurrency, requestsPerMinute },
    timeOuts: {
      ...(timeoutSeconds === undefined ? {} : { total: timeoutSeconds * 1000 }),
      ...(stallSeconds === undefined ? {} : { stall: stallSeconds * 1000 }),
    },
    attempts,
    tell,
    revision,
    size,
    quality,
    // What YAML holds is JSON, as the schema has checked.
    input: input as JsonObject | undefined,
    price: pricePerImage,
  });
  const { expectedImageCost, listedImagePrice } = await import(
    "../../models/image-generation/image-prices.js"
  );
  const listed = listedImagePrice(generator.identity.baseUrl ?? address, model);
  const cost = pricePerImage ?? (listed && expectedImageCost(listed.price, { size, quality }));
  const metered = meter.ofGenerator(
    generator,
    cost === undefined
      ? undefined
      : {
          from: pricePerImage === undefined ? (listed?.asOf ?? "") : configurationFile,
          isExact: pricePerImage !== undefined || (listed !== undefined && "image" in listed.price),
          expected: () => cost,
        },
  );
  meter.watch(metered);
  return {
    model: metered,
    callsAtOnce: concurrency,
    async load() {
      if (maxCost !== undefined && cost === undefined) {
        throw unknownPrice(generator, "pricePerImage");
      }
      if (address !== own.baseUrl || apiKey) return;
      throw new InputError(`Expected a key for ${own.baseUrl} in ${keyName} but it is not set`, {
        hint:
          `Set it in the environment or in .env: ${keyName}=… For a server of your own name ` +
          "baseUrl in touchstone.config.yaml (touchstone init)",
      });
    },
  };
}

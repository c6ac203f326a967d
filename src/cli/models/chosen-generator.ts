import { basename, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import type { ImageGenerator } from "../../core/models.js";
import { failed } from "../../files/file-error.js";
import { readTextFile } from "../../files/regular-file.js";
import {
  type ImageProviderFacts,
  type ImageProviderName,
  imageProviders,
} from "../../models/image-generation/image-providers.js";
import type { OpenAiImagesOptions } from "../../models/openai-images/openai-images.js";
import { configurationFile } from "../configuration/configuration.js";
import type { HostedGeneratorSettings } from "../configuration/image-service-schema.js";
import { unknownPrice } from "./hosted-models.js";
import { type Hosting, timeOutsOf } from "./hosting.js";

type Make = (model: string, options: OpenAiImagesOptions) => ImageGenerator;

const adapters: Readonly<
  Record<ImageProviderName, (place: { path: string; directory: string }) => Promise<Make>>
> = {
  "openai-images": async () =>
    (await import("../../models/openai-images/openai-images.js")).openAiImages,
  replicate: async () => (await import("../../models/image-services/replicate.js")).replicate,
  fal: async () => (await import("../../models/image-services/fal.js")).fal,
  a1111: async () => (await import("../../models/image-services/a1111.js")).a1111,
  async comfyui({ path, directory }) {
    const { comfyUi } = await import("../../models/image-services/comfyui.js");
    const { readWorkflow } = await import("../../models/image-services/comfyui-workflow.js");
    const whole = resolve(directory, path);
    const text = await readTextFile(whole).catch(failed("read", whole));
    const workflow = readWorkflow(text, path);
    return (_, options) => comfyUi(basename(path, ".json"), { ...options, workflow });
  },
  "chat-images": async () =>
    (await import("../../models/image-services/chat-images.js")).chatImages,
  "gemini-images": async () =>
    (await import("../../models/image-services/gemini-images.js")).geminiImages,
  bfl: async () => (await import("../../models/image-services/bfl.js")).bfl,
  stability: async () => (await import("../../models/image-services/stability.js")).stability,
  "hf-inference": async () =>
    (await import("../../models/image-services/hf-inference.js")).hfInference,
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
 * A generator of images at a provider. The key of a format that several speak goes to its owner's address
 * and to the one that the environment names alone; for an address in the settings the variable that holds
 * its key is named there (keyVariable, keyName).
 */
export async function hostedGenerator(
  provider: ImageProviderName,
  model: string,
  { baseUrl, keyVariable, pricePerImage, input, ...settings }: Settings,
  hosting: Hosting,
): Promise<HostedGenerator> {
  const { variables, tell, maxCost, meter, replies } = hosting;
  const own: ImageProviderFacts = imageProviders[provider];
  const ofEnvironment = own.baseUrlName === undefined ? undefined : variables[own.baseUrlName];
  const address = baseUrl ?? (ofEnvironment || own.baseUrl);
  const isOwnKey = baseUrl === undefined || baseUrl === own.baseUrl || own.isKeyOfFormat === true;
  const keyName = keyVariable ?? (isOwnKey ? own.keyName : "");
  const apiKey = variables[keyName];
  const { revision, size, quality, attempts } = settings;
  const {
    concurrency = own.concurrency ?? 4,
    requestsPerMinute,
    timeoutSeconds,
    stallSeconds,
  } = settings;
  if (own.hasNoRevision === true && revision !== undefined) {
    throw new InputError(
      `Expected ${provider}:ID without a revision but received "${revision}"; ${provider} has none`,
    );
  }
  const make = await adapters[provider]({ path: model, directory: hosting.workingDirectory });
  const generator = make(model, {
    baseUrl: address,
    keyName,
    apiKey,
    limits: { concurrency, requestsPerMinute },
    timeOuts: timeOutsOf({ timeoutSeconds, stallSeconds }),
    attempts,
    tell,
    revision,
    size,
    quality,
    // What YAML holds is JSON, as the schema has checked.
    input: input as JsonObject | undefined,
    price: pricePerImage,
    jobs: replies,
  });
  const { expectedImageCost, listedImagePrice } = await import(
    "../../models/image-generation/image-prices.js"
  );
  const listed = listedImagePrice(generator.identity.baseUrl ?? address, model);
  const isFree = own.keyName === "";
  const cost =
    pricePerImage ?? (isFree ? 0 : listed && expectedImageCost(listed.price, { size, quality }));
  const metered = meter.ofGenerator(
    generator,
    cost === undefined
      ? undefined
      : {
          from: pricePerImage === undefined ? (listed?.asOf ?? "") : configurationFile,
          isExact:
            isFree ||
            pricePerImage !== undefined ||
            (listed !== undefined && "image" in listed.price),
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
      if (isFree || address !== own.baseUrl || apiKey) return;
      throw new InputError(`Expected a key for ${own.baseUrl} in ${keyName} but it is not set`, {
        hint:
          `Set it in the environment or in .env: ${keyName}=… For a server of your own name ` +
          "baseUrl in touchstone.config.yaml (touchstone doctor init)",
      });
    },
  };
}

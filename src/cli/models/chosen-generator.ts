import { basename, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import type { ImageGenerator } from "../../core/models.js";
import { fileError } from "../../files/file-error.js";
import { readTextFile } from "../../files/regular-file.js";
import {
  type ImageProviderFacts,
  imageProviders,
} from "../../models/image-generation/image-providers.js";
import type { OpenAiImagesOptions } from "../../models/openai-images/openai-images.js";
import { configurationFile } from "../configuration/configuration.js";
import type { HostedGeneratorSettings } from "../configuration/image-service-schema.js";
import { unknownPrice } from "./hosted-models.js";
import type { Hosting } from "./hosting.js";
import { timeOutsOf } from "./time-outs-of.js";

export type HostedProvider = HostedGeneratorSettings["provider"];

interface Provider extends ImageProviderFacts {
  /** The environment variable that holds another base URL. */
  readonly baseUrlName?: string;
  make(
    model: string,
    options: OpenAiImagesOptions,
    hosting: Pick<Hosting, "workingDirectory">,
  ): Promise<ImageGenerator>;
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
    ...imageProviders.replicate,
    async make(model, options) {
      const { replicate } = await import("../../models/image-services/replicate.js");
      return replicate(model, options);
    },
  },
  fal: {
    ...imageProviders.fal,
    async make(model, options) {
      if (options.revision !== undefined) {
        throw new InputError(
          `Expected fal:ID without a revision but received "${options.revision}"; fal has none`,
        );
      }
      const { fal } = await import("../../models/image-services/fal.js");
      return fal(model, options);
    },
  },
  a1111: {
    ...imageProviders.a1111,
    async make(model, options) {
      const { a1111 } = await import("../../models/image-services/a1111.js");
      return a1111(model, options);
    },
  },
  comfyui: {
    ...imageProviders.comfyui,
    async make(path, options, { workingDirectory }) {
      const { comfyUi } = await import("../../models/image-services/comfyui.js");
      const { readWorkflow } = await import("../../models/image-services/comfyui-workflow.js");
      const whole = resolve(workingDirectory, path);
      const text = await readTextFile(whole).catch((error: unknown) => {
        throw fileError(error, "read", whole);
      });
      return comfyUi(basename(path, ".json"), { ...options, workflow: readWorkflow(text, path) });
    },
  },
  "chat-images": {
    ...imageProviders["chat-images"],
    async make(model, options) {
      const { chatImages } = await import("../../models/image-services/chat-images.js");
      return chatImages(model, options);
    },
  },
  "gemini-images": {
    ...imageProviders["gemini-images"],
    async make(model, options) {
      const { geminiImages } = await import("../../models/image-services/gemini-images.js");
      return geminiImages(model, options);
    },
  },
  bfl: {
    ...imageProviders.bfl,
    async make(model, options) {
      const { bfl } = await import("../../models/image-services/bfl.js");
      return bfl(model, options);
    },
  },
  stability: {
    ...imageProviders.stability,
    async make(model, options) {
      const { stability } = await import("../../models/image-services/stability.js");
      return stability(model, options);
    },
  },
  "hf-inference": {
    ...imageProviders["hf-inference"],
    async make(model, options) {
      const { hfInference } = await import("../../models/image-services/hf-inference.js");
      return hfInference(model, options);
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
 * A generator of images at a provider. The key of a format that several speak goes to its owner's address
 * and to the one that the environment names alone; for an address in the settings the variable that holds
 * its key is named there (keyVariable, keyName).
 */
export async function hostedGenerator(
  provider: HostedProvider,
  model: string,
  { baseUrl, keyVariable, pricePerImage, input, ...settings }: Settings,
  hosting: Hosting,
): Promise<HostedGenerator> {
  const { variables, tell, maxCost, meter, replies } = hosting;
  const { make, ...own } = providers[provider];
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
  const generator = await make(
    model,
    {
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
    },
    hosting,
  );
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

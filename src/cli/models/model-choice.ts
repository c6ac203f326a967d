import { resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { type Detector, type Model, modelName } from "../../core/models.js";
import { nearest } from "../../core/nearest.js";
import { runPlace } from "../../files/open-store.js";
import {
  type ChatProviderName,
  chatProviderNames,
  isChatProvider,
} from "../../models/chat-providers.js";
import { keeps } from "../../models/contracts.js";
import {
  type ImageProviderName,
  imageProviderNames,
  isImageProvider,
} from "../../models/image-generation/image-providers.js";
import type { EncoderOptions } from "../../models/transformers-js/dual-encoder.js";
import type { Loadable, TransformersJsOptions } from "../../models/transformers-js/loading.js";
import type { LocalizerOptions } from "../../models/transformers-js/localizer.js";
import {
  type BridgedModelSettings,
  type ConfiguredModel,
  type DiffusersSettings,
  type HostedEmbedderSettings,
  type HostedModelSettings,
  namedIn,
} from "../configuration/configuration-schema.js";
import type { HostedGeneratorSettings } from "../configuration/image-service-schema.js";
import type { ChosenModel } from "../environment.js";
import { loadLab } from "../lab.js";
import { exampleAnswerer, exampleChatModel, exampleEncoder } from "./example-models.js";
import { type Hosting, hostingFor } from "./hosting.js";

type ProviderOptions = Pick<TransformersJsOptions, "revision" | "cacheDirectory" | "offline"> &
  Pick<LocalizerOptions, "threshold"> &
  Omit<BridgedModelSettings, "provider" | "model"> &
  Omit<HostedModelSettings, "provider" | "model"> &
  Pick<HostedEmbedderSettings, "pricePerMillionTokens"> &
  Partial<Pick<DiffusersSettings, "dtype" | "variant" | "scheduler" | "lora" | "offload">> &
  Omit<Extract<HostedGeneratorSettings, { provider: "openai-images" }>, "provider" | "model">;

type Choose = (
  model: string,
  options: ProviderOptions,
  hosting: Hosting,
  configured: ConfiguredModels,
) => Promise<ChosenModel>;

type ConfiguredModels = Readonly<Record<string, ConfiguredModel>>;

const ownWay: Readonly<
  Record<Exclude<ConfiguredModel["provider"], ChatProviderName | ImageProviderName>, Choose>
> = {
  async "openai-embeddings"(model, options, hosting) {
    const { hostedEmbedder } = await import("./hosted-models.js");
    return { ...(await hostedEmbedder({ ...options, model }, hosting)), judgesPhotographs: true };
  },
  async lab(name, { revision }, { runtime = "wasm" }) {
    const { models } = await loadLab();
    const model = models.make(name, { runtime });
    if (revision !== undefined && model.identity.revision !== revision) {
      throw new InputError(
        `Expected revision ${revision} of lab:${name} but this version of touchstone has ` +
          modelName(model.identity),
      );
    }
    return { model, judgesPhotographs: false, load: () => models.checkRuntime(runtime) };
  },
  async "transformers-js"(name, options, hosting, configured) {
    const model = await localModel(name, options, async (detector) => {
      const named = Object.hasOwn(configured, detector) ? configured[detector] : undefined;
      if (!/^(masks|segment-http):/.test(named ? `${named.provider}:` : detector)) return undefined;
      const { model: found } = await chooseModel(detector, configured, hosting);
      return keeps(found, "Detector") ? found : undefined;
    });
    return { model, judgesPhotographs: true, load: () => model.load() };
  },
  async "python-bridge"(model, options, hosting) {
    const { bridgedModel } = await import("./bridged-model.js");
    return { ...bridgedModel(model, options, hosting), judgesPhotographs: true };
  },
  async python(model, options, hosting) {
    const { ownGenerator } = await import("./bridged-model.js");
    return { ...(await ownGenerator(model, options, hosting)), judgesPhotographs: false };
  },
  async diffusers(model, options, hosting) {
    const { diffusersGenerator } = await import("./bridged-model.js");
    return { ...diffusersGenerator(model, options, hosting), judgesPhotographs: false };
  },
  async masks(path, { revision }, { workingDirectory }) {
    if (revision !== undefined) {
      throw new InputError(`Expected masks:PATH without a revision but received "${revision}"`);
    }
    const { givenMasks } = await import("../../models/masks/masks.js");
    const model = await givenMasks(resolve(workingDirectory, path));
    return { model, judgesPhotographs: true, load: async () => {} };
  },
  async "segment-http"(
    url,
    { revision, keyVariable = "", concurrency = 4, timeoutSeconds },
    hosting,
  ) {
    const { segmentHttp } = await import("../../models/segment-http/segment-http.js");
    const model = segmentHttp(url, {
      revision,
      keyName: keyVariable,
      apiKey: hosting.variables[keyVariable],
      limits: { concurrency },
      ...(timeoutSeconds === undefined ? {} : { timeOuts: { total: timeoutSeconds * 1000 } }),
      tell: hosting.tell,
    });
    return { model, judgesPhotographs: true, callsAtOnce: concurrency, load: async () => {} };
  },
  async recorded(directory, { revision }, { workingDirectory }) {
    const { recordedModel } = await import("../../models/recorded/recorded.js");
    const place = runPlace(directory, { workingDirectory });
    const model = await recordedModel(place, { model: revision });
    return { model, judgesPhotographs: true, load: async () => {} };
  },
};

const providerNames = [...chatProviderNames, ...Object.keys(ownWay), ...imageProviderNames];

/** Chat models have settings of one kind, and so have generators of images behind HTTP. */
function choosing(provider: ConfiguredModel["provider"]): Choose {
  if (isChatProvider(provider)) {
    return async (model, options, hosting) => {
      const { hostedModel } = await import("./hosted-models.js");
      const chosen = await hostedModel({ ...options, provider, model }, hosting);
      return { ...chosen, judgesPhotographs: true };
    };
  }
  if (!isImageProvider(provider)) return ownWay[provider];
  return async (model, options, hosting) => {
    const { hostedGenerator } = await import("./chosen-generator.js");
    const chosen = await hostedGenerator(provider, model, options, hosting);
    return { ...chosen, judgesPhotographs: false };
  };
}

/** A server's own names are sent as they stand, as from YAML: `name@q4_k_m` is one. */
const wholeName = /^(?<provider>openai-[a-z]+):(?<model>.+)$/s;
const nameAndRevision = /^(?<provider>[^:]+):(?<model>[^@]+)(?:@(?<revision>.+))?$/;

/**
 * The model that `provider:model[@revision]` names, or a name of the configuration's `models`.
 * Only its provider's code is loaded. Names of OpenAI-compatible servers have no revision here: it is a
 * setting.
 *
 * @param hosting what hosted models are reached with
 * @param flag what errors call the place that names it
 * @throws InputError for another form, an unknown provider or a model that the provider lacks.
 * @example await chooseModel("lab:vqa")
 */
export async function chooseModel(
  text: string,
  configured: ConfiguredModels = {},
  hosting: Hosting = hostingFor({ variables: {}, workingDirectory: "." }),
  flag = "--model",
): Promise<ChosenModel> {
  const settings = Object.hasOwn(configured, text) ? configured[text] : undefined;
  if (settings !== undefined) {
    return chooseConfigured(settings, hosting, configured);
  }
  const parts = (wholeName.exec(text) ?? nameAndRevision.exec(text))?.groups;
  if (parts?.provider !== undefined && isProvider(parts.provider)) {
    const { model = "", revision } = parts;
    return chosenBy(parts.provider, { model, options: { revision }, hosting, configured });
  }
  const list = "touchstone metrics models lists all providers";
  if (parts?.provider === undefined) {
    throw new InputError(
      `Expected provider:model, or provider:model@revision, for ${flag} but received "${text}"`,
      {
        hint: `Such as ${[...Object.keys(configured), exampleChatModel, exampleEncoder].join(", ")}; ${list}`,
      },
    );
  }
  const meant = nearest(parts.provider, providerNames);
  throw new InputError(
    `Expected one of the providers ${providerNames.join(", ")} for ${flag} but received "${parts.provider}"`,
    { hint: meant === undefined ? list : `Did you mean ${meant}?` },
  );
}

function chooseConfigured(
  settings: ConfiguredModel,
  hosting: Hosting,
  configured: ConfiguredModels,
): Promise<ChosenModel> {
  const { provider, ...given } = settings;
  const all: ProviderOptions & { readonly model?: string | undefined } = given;
  const { keyName, keyVariable = keyName, model: _, ...options } = all;
  const named = keyVariable === undefined ? {} : { keyVariable };
  const model = namedIn(settings);
  return chosenBy(provider, { model, options: { ...options, ...named }, hosting, configured });
}

/** A model of a provider; a local one that was loaded before, where the process keeps them. */
async function chosenBy(
  provider: ConfiguredModel["provider"],
  {
    model,
    options,
    hosting,
    configured,
  }: {
    readonly model: string;
    readonly options: ProviderOptions;
    readonly hosting: Hosting;
    readonly configured: ConfiguredModels;
  },
): Promise<ChosenModel> {
  const { models, runtime = null, workingDirectory } = hosting;
  const isLocal = provider === "lab" || provider === "transformers-js";
  const key = JSON.stringify([provider, model, options, runtime, workingDirectory]);
  const loaded = isLocal ? models?.get(key) : undefined;
  const chosen = loaded ?? (await choosing(provider)(model, options, hosting, configured));
  if (isLocal) models?.set(key, chosen);
  return chosen;
}

export const isProvider = (name: string): name is ConfiguredModel["provider"] =>
  (providerNames as readonly string[]).includes(name);

/** Ways forward where no model can judge real photographs. */
export const waysForward = [
  "Three ways forward:",
  "  1. A local model, by a package of 470 MB and its weights:",
  "     ONNXRUNTIME_NODE_INSTALL=skip npm install @huggingface/transformers@4",
  "     (in a clone of this repository: --no-save --save-dev)",
  "     Then --model, for clip-score and for vqa-score:",
  `     ${exampleEncoder}`,
  `     ${exampleAnswerer}`,
  "  2. A hosted model with log-probabilities, by its key:",
  `     OPENAI_API_KEY=… --model ${exampleChatModel}`,
  "     A server of your own (vLLM, llama.cpp, Ollama):",
  "     OPENAI_BASE_URL=http://localhost:8000/v1",
  "  3. Scores that you already have need no model:",
  "     touchstone analyze contrastive scores.csv",
  "The lab's models (--model lab:vqa) judge only what the lab painted: touchstone demo",
].join("\n");

/** The detector of another provider that a name is, if it is one. */
type DetectorNamed = (name: string) => Promise<Detector | undefined>;

/**
 * A model of Transformers.js: `owner/name` is a CLIP; `siglip:owner/name`, `vlm:owner/name` and
 * `localizer:DETECTOR+SAM` (or `localizer:DETECTOR`) are what they say, where a detector may be of another
 * provider (`localizer:masks:boxes.jsonl+SAM`). Only its kind's code is loaded.
 *
 * @param options.threshold of a localizer alone
 * @param options.logitScale of an encoder (CLIP, SigLIP) alone
 * @throws InputError for another kind, or an option of other kinds.
 */
export async function localModel(
  text: string,
  {
    threshold,
    logitScale,
    ...options
  }: TransformersJsOptions & Pick<LocalizerOptions, "threshold"> & EncoderOptions,
  detectorNamed: DetectorNamed = async () => undefined,
): Promise<Model & Loadable> {
  const [, kind = "clip", name = text] = /^([a-z]+):(?!\/)(.+)$/s.exec(text) ?? [];
  if (threshold !== undefined && kind !== "localizer") {
    throw new InputError(
      `Expected a threshold of a localizer alone but received ${threshold} for ${text}`,
    );
  }
  if (logitScale !== undefined && kind !== "clip" && kind !== "siglip") {
    throw new InputError(
      `Expected a logitScale of a CLIP or SigLIP alone but received ${logitScale} for ${text}`,
    );
  }
  switch (kind) {
    case "clip": {
      const { transformersJs } = await import("../../models/transformers-js/dual-encoder.js");
      return transformersJs(name, { ...options, logitScale });
    }
    case "siglip": {
      const { transformersJsSiglip } = await import("../../models/transformers-js/dual-encoder.js");
      return transformersJsSiglip(name, { ...options, logitScale });
    }
    case "localizer":
      return localizer(name, { ...options, threshold }, detectorNamed);
    case "vlm": {
      const { transformersJsChat } = await import("../../models/transformers-js/vision-chat.js");
      const { answersQuestions } = await import("../../models/chat/answers-questions.js");
      const model = transformersJsChat(name, options);
      return { ...answersQuestions(model), load: () => model.load() };
    }
    default:
      throw new InputError(
        `Expected siglip:, vlm: or localizer: before the name of a model, or the name of a CLIP, ` +
          `for transformers-js but received "${text}"`,
      );
  }
}

/** @throws InputError where a detector of another provider is given what detectors here are set by. */
async function localizer(
  name: string,
  options: LocalizerOptions,
  detectorNamed: DetectorNamed,
): Promise<Model & Loadable> {
  const { transformersJsLocalizer } = await import("../../models/transformers-js/localizer.js");
  const plus = name.lastIndexOf("+");
  const [detector, sam] = plus < 0 ? [name] : [name.slice(0, plus), name.slice(plus + 1)];
  // "+boxes" is how a localizer without a SAM is named.
  const segmenter = sam === "boxes" ? undefined : sam;
  const other = await detectorNamed(detector);
  if (other === undefined) return transformersJsLocalizer(detector, { ...options, segmenter });
  for (const setting of ["revision", "threshold"] as const) {
    if (options[setting] === undefined) continue;
    throw new InputError(
      `Expected a ${setting} of a detector of transformers-js alone but received ${options[setting]} for ${detector}`,
    );
  }
  return transformersJsLocalizer(other, { ...options, segmenter });
}

import { InputError } from "../../core/errors.js";
import type { ChatModel, ChatRequest, ChatToken } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { type Loadable, onceLoaded, rawImage, type TransformersJsOptions } from "./loading.js";
import type { Generator, Processor, Tensor, TransformersLibrary } from "./transformers-library.js";

/** Kinds of models that are known to be asked right, and whether their processors take texts first. */
const textFirst: Readonly<Record<string, boolean>> = {
  idefics3: true,
  smolvlm: true,
  qwen2_vl: true,
  qwen2_5_vl: true,
  llava: false,
  llava_onevision: false,
};

/** Tokens of an answer where the request names no limit. */
const usualLength = 256;

/**
 * A small vision-language model on this machine, in 32-bit numbers: SmolVLM and Idefics3, LLaVA and
 * LLaVA-OneVision, Qwen2-VL and Qwen2.5-VL. It answers with its likeliest token each time; the
 * log-probabilities are those of its whole vocabulary, before anything is left out.
 *
 * @param model as for `transformersJs`, such as HuggingFaceTB/SmolVLM-256M-Instruct
 * @throws InputError, when first asked, where the peer is missing, the model can't be loaded or is of
 *   another kind. NoAnswer "not-applicable" for a temperature above 0.
 * @example vqaScore({ model: answersQuestions(transformersJsChat("HuggingFaceTB/SmolVLM-256M-Instruct")) })
 */
export function transformersJsChat(
  model: string,
  options: TransformersJsOptions = {},
): ChatModel & Loadable {
  const { revision } = options;
  const loaded = onceLoaded(model, options, {
    kind: "vision-language model",
    uses: ["AutoProcessor", "AutoModelForImageTextToText", "RawImage"],
    load: async (library, { id, from, precise }) => ({
      library,
      process: await library.AutoProcessor.from_pretrained(id, from),
      network: known(await library.AutoModelForImageTextToText.from_pretrained(id, precise), id),
    }),
  });
  return {
    identity: {
      provider: "transformers-js",
      model: `vlm:${model}`,
      ...(revision && { revision }),
    },
    async load() {
      await loaded();
    },
    async chat(request, { signal, trace } = {}) {
      if ((request.temperature ?? 0) > 0) {
        throw new NoAnswer("not-applicable", `${model} answers without chance: temperature 0`);
      }
      const { library, process, network } = await loaded();
      signal?.throwIfAborted();
      const inputs = await inputsOf(request, { library, process, network });
      signal?.throwIfAborted();
      const places = request.topLogProbabilities;
      const steps: ReturnType<typeof likeliest>[] = [];
      const watch = (_: unknown, logits: Tensor) => {
        if (places !== undefined) steps.push(likeliest(logits, places));
        return logits;
      };
      const written = await network.generate({
        ...inputs,
        max_new_tokens: request.maxTokens ?? usualLength,
        do_sample: false,
        logits_processor: [watch],
      });
      const { ids, inputTokens } = newTokens(written, inputs.input_ids as Tensor);
      const ended = endsOf(network).has(Number(ids.at(-1)));
      const answer = ended ? ids.slice(0, -1) : ids;
      const usage = { inputTokens, outputTokens: ids.length };
      trace?.({ kind: "model-call", cached: false, cost: 0, ...usage });
      return {
        text: decode(process, answer).trim(),
        finish: ended ? "stop" : "length",
        ...(places === undefined ? {} : { tokens: tokensOf(steps, answer, process) }),
        usage,
      };
    },
  };
}

interface LoadedChat {
  readonly library: Pick<TransformersLibrary, "RawImage">;
  readonly process: Processor;
  readonly network: Generator;
}

function known(network: Generator, id: string): Generator {
  const kind = String(network.config.model_type);
  if (Object.hasOwn(textFirst, kind)) return network;
  throw new InputError(
    `Expected one of ${Object.keys(textFirst).join(", ")} for the kind of ${id} but received ${kind}`,
  );
}

async function inputsOf({ messages }: ChatRequest, { library, process, network }: LoadedChat) {
  const parts = messages.flatMap((message) => message.parts);
  const pictures = parts.flatMap((part) => (part.type === "image" ? [part.image] : []));
  if (pictures.length === 0) {
    throw new NoAnswer("not-applicable", "This model is asked about images, and none was given");
  }
  const images = [];
  for (const picture of pictures) images.push(rawImage(library, await picture.pixels()));
  const wording = messages.map(({ role, parts: said }) => ({
    role,
    content: said.map((part) => (part.type === "text" ? part : { type: "image" })),
  }));
  const text = process.apply_chat_template?.(wording, { add_generation_prompt: true });
  if (text === undefined) throw new NoAnswer("not-applicable", "The model has no chat template");
  return textFirst[String(network.config.model_type)]
    ? process(text, images)
    : process(images, text);
}

function newTokens({ data }: Tensor, asked: Tensor) {
  const inputTokens = asked.dims?.at(-1);
  if (!(data instanceof BigInt64Array) || inputTokens === undefined) {
    throw new NoAnswer("unparsable", "The model wrote no tokens");
  }
  return { ids: [...data.slice(inputTokens)], inputTokens };
}

const decode = ({ tokenizer }: Processor, ids: readonly bigint[]) =>
  tokenizer?.decode(ids, { skip_special_tokens: true }) ?? "";

function endsOf({ generation_config: settings }: Generator): Set<number> {
  return new Set([settings?.eos_token_id].flat().map(Number));
}

function tokensOf(
  steps: readonly ReturnType<typeof likeliest>[],
  ids: readonly bigint[],
  process: Processor,
): ChatToken[] {
  const word = (id: number) => process.tokenizer?.decode([BigInt(id)]) ?? "";
  return ids.flatMap((id, place) => {
    const alternatives = steps[place]?.map(({ id: other, logProbability }) => ({
      token: word(other),
      logProbability,
    }));
    const chosen = alternatives?.find((_, rank) => steps[place]?.[rank]?.id === Number(id));
    return alternatives === undefined || chosen === undefined ? [] : [{ ...chosen, alternatives }];
  });
}

/**
 * Returns the likeliest tokens of the last row of logits with their log-probabilities (softmax over the whole
 * vocabulary), likeliest first; equal ones by number.
 *
 * @throws NoAnswer "unparsable" where a logit is NaN or positively infinite.
 */
export function likeliest(
  { data, dims }: Tensor,
  count: number,
): { readonly id: number; readonly logProbability: number }[] {
  if (!(data instanceof Float32Array)) {
    throw new NoAnswer("unparsable", "The model gave no logits of 32-bit numbers");
  }
  const row = data.subarray(-(dims?.at(-1) ?? data.length));
  const highest = row.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(highest)) {
    throw new NoAnswer("unparsable", `The model's highest logit is ${highest}`);
  }
  const sum = row.reduce((total, logit) => total + Math.exp(logit - highest), 0);
  const total = highest + Math.log(sum);
  return Array.from(row, (logit, id) => ({ id, logProbability: Math.min(0, logit - total) }))
    .sort((a, b) => b.logProbability - a.logProbability || a.id - b.id)
    .slice(0, Math.max(1, count));
}

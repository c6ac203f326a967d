import { z } from "zod";
import type { CallOptions, GenerationRequest, ImageGenerator } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { finalRefusal } from "../http/final-refusal.js";
import { replyReader } from "../http/reply-reader.js";
import {
  generatorIdentity,
  type HostedGeneratorOptions,
  ImageProvider,
} from "../image-generation/hosted-generator.js";

export interface ReplicateOptions extends HostedGeneratorOptions {
  /** The version's id, for models that are not Replicate's official ones. */
  readonly revision?: string | undefined;
}

/** How long a call is held open for the image, in seconds; after that it is asked for. */
const heldOpen = 30;

const schema = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]+$/),
  status: z.enum(["starting", "processing", "succeeded", "failed", "canceled", "aborted"]),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
});

type Prediction = z.output<typeof schema>;

/**
 * A generator at Replicate, by its API of predictions: the call is held open for a while, then the
 * image is asked for until it is there, and fetched. The first image of the output is taken.
 *
 * @param model `owner/name`
 * @throws from `generate`: NoAnswer "refused" where the model's filter declines; "provider-error" for
 *   a prediction that failed, was cancelled or holds no image; otherwise as `openAiImages`.
 * @example replicate("black-forest-labs/flux-schnell", { apiKey })
 */
export function replicate(
  model: string,
  { revision, input = {}, ...options }: ReplicateOptions = {},
): ImageGenerator {
  const { baseUrl = "https://api.replicate.com/v1", keyName = "REPLICATE_API_TOKEN" } = options;
  const provider = new ImageProvider(model, {
    ...options,
    baseUrl,
    keyName,
    headers: { prefer: `wait=${heldOpen}` },
  });
  const { calls } = provider;

  // A prediction tells how it went in a member `error`.
  const asked = { read: replyReader(schema, "prediction"), mayHoldError: true } as const;
  const callOf = ({ prompt, seed }: GenerationRequest) => {
    const body = { input: { ...input, prompt, seed } };
    return {
      ...asked,
      item: `${seed} ${prompt}`,
      ...(revision === undefined
        ? { path: `models/${model}/predictions`, body }
        : { path: "predictions", body: { ...body, version: revision } }),
    };
  };

  async function predicted(request: GenerationRequest, callOptions: CallOptions) {
    const created = await calls.call(callOf(request), callOptions);
    let first: Prediction | undefined = created.value;
    const path = `predictions/${created.value.id}`;
    const value = await provider.wait(async () => {
      const current = first ?? (await calls.call({ ...asked, path }, callOptions)).value;
      first = undefined;
      return ["starting", "processing"].includes(current.status) ? undefined : current;
    }, callOptions);
    return { value, attempts: created.attempts };
  }

  return {
    identity: generatorIdentity({
      provider: "replicate",
      model,
      baseUrl: calls.baseUrl,
      named: [revision],
      input,
    }),
    answered: (request) => calls.answered(() => callOf(request)),
    async generate(request, callOptions = {}) {
      const { value, attempts } = await provider.during(request.prompt, () =>
        predicted(request, callOptions),
      );
      const { id, status, output, error } = value;
      if (status !== "succeeded") {
        const said = typeof error === "string" && error !== "" ? `: ${error.slice(0, 300)}` : "";
        const reason = finalRefusal({ message: said }) === "content" ? "refused" : "provider-error";
        throw new NoAnswer(reason, `${calls.baseUrl}: the prediction ${id} ${status}${said}`);
      }
      const url = firstUrl(output);
      return provider.finish(
        { ...(url === undefined ? {} : { url }), attempts, reply: { id, status } },
        {},
        callOptions,
      );
    },
  };
}

/** Outputs are an address, a list of them, or an object that holds one. */
function firstUrl(output: unknown): string | undefined {
  if (typeof output === "string") return output;
  if (typeof output !== "object" || output === null) return undefined;
  for (const inner of Object.values(output)) {
    const found = firstUrl(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

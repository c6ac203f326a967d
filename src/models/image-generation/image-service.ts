import { TouchstoneError } from "../../core/errors.js";
import { asJson, type JsonObject } from "../../core/json.js";
import { keyOf } from "../../core/keys.js";
import type {
  CallOptions,
  GeneratedImage,
  GenerationRequest,
  ImageGenerator,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { CallFailure, mayPass } from "../http/call-failure.js";
import type { JsonCall } from "../http/json-client.js";
import {
  generatorIdentity,
  type HostedGeneratorOptions,
  ImageProvider,
  type ProvidedImage,
} from "./hosted-generator.js";
import { joinedMaking } from "./image-making.js";
import {
  type ImageProviderFacts,
  type ImageProviderName,
  imageProviders,
} from "./image-providers.js";

/** A call to a service of images. */
export type ServiceCall<Value> = Omit<JsonCall<Value>, "item" | "mostBytes" | "tokens" | "isPaid">;

/** Calls that a service may make after its first answer. */
export interface ServiceWays {
  readonly baseUrl: string;
  /** Makes another call. */
  ask<Value>(call: ServiceCall<Value>): Promise<Value>;
  /** Asks again and again, at growing intervals and with an end, until there is an answer. */
  wait<Value>(ask: () => Promise<Value | undefined>): Promise<Value>;
}

/** What is particular to one service of images. */
export interface ImageService<Answer> {
  /** Parts of the model's name in records beside its settings. */
  readonly named?: readonly (string | undefined)[];
  /** The model's own parameters; they are part of its name in records. */
  readonly input?: JsonObject | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the first call only starts a job. A started job is polled, and resumed after a crash. */
  readonly begins?: boolean;
  /** The call that asks for an image. */
  call(request: GenerationRequest): ServiceCall<Answer>;
  /**
   * The image that an answer holds or leads to.
   *
   * @throws NoAnswer where there is none.
   */
  image(
    answer: Answer,
    request: GenerationRequest,
    ways: ServiceWays,
  ): Omit<ProvidedImage, "attempts"> | Promise<Omit<ProvidedImage, "attempts">>;
  /** What the first answer says of its price, also one without an image. */
  bill?(answer: Answer, request: GenerationRequest): Pick<ProvidedImage, "usage" | "cost">;
  /** What its price depends on beside the image. */
  readonly priced?: Pick<Parameters<ImageProvider["finish"]>[1], "size" | "quality">;
  /** What calls are made by, not what fetches images that lie elsewhere. */
  readonly calling?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
  /** Whether `call` will say something else after a failure, so that it is worth another call. */
  callsOtherwise?(failure: CallFailure, call: ServiceCall<Answer>): boolean;
  /** A clearer error for a failure of the first call; `undefined` where there is none. */
  explain?(failure: CallFailure): Error | undefined;
}

/** Options that generators of all services share. */
export interface ImageServiceOptions extends HostedGeneratorOptions {
  /** Names a state of the model where its name does not. */
  readonly revision?: string | undefined;
}

/** Says that a service knows nothing of a job any more. */
export class JobLost extends NoAnswer {
  constructor(detail: string) {
    super("provider-error", detail);
  }
}

const mostBytes = 64 * 2 ** 20;

/**
 * A generator at a service, by the model and options.
 *
 * @param serviceOf what is particular to the service; `input` holds the model's own parameters
 * @throws from `generate`: as `servedImages`
 */
export const imageService =
  <Answer>(
    name: ImageProviderName,
    serviceOf: (asked: {
      readonly model: string;
      readonly input: JsonObject;
      readonly revision: string | undefined;
    }) => ImageService<Answer>,
  ) =>
  (model: string, { input = {}, ...options }: ImageServiceOptions = {}): ImageGenerator => {
    const { revision } = options;
    return servedImages(name, model, { input, ...serviceOf({ model, input, revision }) }, options);
  };

/**
 * A generator behind a service. All that services share is here: calls in line and again where that
 * helps, jobs that are not begun twice, refusals, the image's address, prices.
 *
 * @throws from `generate`: NoAnswer "refused" where the provider declines; "bad-input" for a request that
 *   is turned down; "rate-limited", "timeout" and "provider-error" after the last attempt, for a job that
 *   failed and for what is no image. InputError for a wrong key, model or address; IncompleteError where
 *   the provider is down.
 */
export function servedImages<Answer>(
  name: ImageProviderName,
  model: string,
  {
    named = [],
    input = {},
    headers,
    calling = (fetch) => fetch,
    begins = false,
    ...service
  }: ImageService<Answer>,
  { jobs, revision, ...options }: ImageServiceOptions,
): ImageGenerator {
  const facts: ImageProviderFacts = imageProviders[name];
  const { baseUrl = facts.baseUrl, keyName = facts.keyName } = options;
  const { keyHeader, scheme, concurrency } = facts;
  const limits = { concurrency, ...options.limits };
  const provider = new ImageProvider(model, {
    ...options,
    baseUrl,
    keyName,
    keyHeader,
    scheme,
    headers,
    limits,
    calling,
  });
  const { calls } = provider;
  const identity = generatorIdentity({
    provider: name,
    model,
    baseUrl: calls.baseUrl,
    named: [revision, ...named],
    input,
  });

  const callOf = (request: GenerationRequest): JsonCall<Answer> => ({
    ...service.call(request),
    item: `${request.seed} ${request.prompt}`,
    isPaid: true,
    mostBytes,
  });

  async function finished(
    { answer, attempts }: { readonly answer: Answer; readonly attempts: number },
    request: GenerationRequest,
    callOptions: CallOptions,
  ): Promise<GeneratedImage> {
    const bill = service.bill?.(answer, request) ?? {};
    const ways: ServiceWays = {
      baseUrl: calls.baseUrl,
      async ask(call) {
        try {
          return (await calls.call({ ...call, mostBytes }, callOptions)).value;
        } catch (error) {
          if (!(error instanceof CallFailure) || ![404, 410].includes(error.status ?? 0))
            throw error;
          throw new JobLost(`${calls.baseUrl} lost what it began: ${error.message}`);
        }
      },
      wait: (ask) => provider.wait(ask, callOptions),
    };
    const provided = async () => service.image(answer, request, ways);
    const image = await provided().catch((error: unknown) => {
      if (error instanceof NoAnswer) {
        provider.noteRefusal({ ...bill, attempts, words: error.message }, callOptions);
      }
      throw error;
    });
    const making = joinedMaking(input, image.making);
    return provider.finish(
      { ...bill, ...image, making, attempts },
      service.priced ?? {},
      callOptions,
    );
  }

  async function made(request: GenerationRequest, callOptions: CallOptions) {
    const { prompt, seed } = request;
    const key = keyOf(asJson({ job: 1, identity, prompt, seed }));
    const kept = begins ? await jobs?.read(key) : undefined;
    try {
      if (kept !== undefined) {
        const answer = callOf(request).read(JSON.parse(kept));
        return await finished({ answer, attempts: 1 }, request, callOptions);
      }
    } catch (error) {
      if (callOptions.signal?.aborted || mustNotRestart(error)) throw error;
    }
    const { value: answer, json, attempts } = await begun(request, callOptions);
    if (begins) await jobs?.write(key, JSON.stringify(json)).catch(() => {});
    return finished({ answer, attempts }, request, callOptions);
  }

  async function begun(request: GenerationRequest, callOptions: CallOptions) {
    for (;;) {
      const call = callOf(request);
      try {
        return await calls.call(call, callOptions);
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (service.callsOtherwise?.(error, call) === true) continue;
        throw service.explain?.(error) ?? error;
      }
    }
  }

  return {
    identity,
    answered: (request) => calls.answered(() => callOf(request)),
    generate: (request, callOptions = {}) =>
      provider.during(request.prompt, () => made(request, callOptions)),
  };
}

/** Whether a job that was begun earlier may yet end well, or was refused: then it is not begun anew. */
function mustNotRestart(error: unknown): boolean {
  if (error instanceof CallFailure) return error.final === "content";
  if (error instanceof TouchstoneError) return true;
  if (!(error instanceof NoAnswer) || error instanceof JobLost) return false;
  const { reason, cause } = error;
  if (reason === "refused" || reason === "timeout") return true;
  return cause instanceof CallFailure && mayPass(cause);
}

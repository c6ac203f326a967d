import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import type { Given } from "../../core/options.js";
import { ReplyStore } from "../../models/cache/reply-store.js";
import type { TimeOuts } from "../../models/http/exchange.js";
import type { JsonClient } from "../../models/http/json-client.js";
import type { OpenAiClientOptions } from "../../models/openai-compatible/openai-compatible.js";
import { CallMeter } from "../../models/prices/call-meter.js";
import { Sights } from "../../models/sight/sights.js";
import {
  type SanityChoice,
  type sanityArguments,
  sanityOf,
} from "../command-line/shared-arguments.js";
import type { CacheSettings, Configuration } from "../configuration/configuration-schema.js";
import type { Environment } from "../environment.js";
import type { Output } from "../terminal/output.js";
import type { Runtime } from "./runtime-argument.js";

/** Resources that one command line's models share when reached over the network. */
export interface Hosting {
  readonly variables: Environment["variables"];
  /** Base folder for paths in model names. */
  readonly workingDirectory: string;
  /** Where replies are kept: in a folder, or, where they are not to be, for this command alone. */
  readonly replies: ReplyStore;
  /** Limit of spending, in US dollars, where somebody set it: then every price must be known. */
  readonly maxCost: number | undefined;
  /** Counts calls before they are made. */
  readonly meter: CallMeter;
  /** Takes what people should know while a server keeps them waiting. */
  readonly tell: ((text: string) => void) | undefined;
  /** Local models that were loaded before; see `Environment`. */
  readonly models: Environment["models"];
  /** Runtime of the lab's models; WebAssembly by default. */
  readonly runtime: Runtime | undefined;
  /** A way to a server; those of one base URL and key stay within the strictest limits together. */
  client(options: OpenAiClientOptions): Promise<JsonClient>;
}

/**
 * @param variables TOUCHSTONE_CACHE names another place for replies than the settings
 * @param settings the configuration's `cache`
 * @param cache --cache: goes before TOUCHSTONE_CACHE and the settings
 * @param useCache false for --no-cache
 * @param maxCost --max-cost
 * @param runtime what runs the lab's models; WebAssembly by default
 * @param tell takes what people should know while a server keeps them waiting
 * @param sanity --no-sanity and --allow-blind; where not given, no model's sight is checked
 */
export function hostingFor(
  {
    variables,
    workingDirectory,
    now = () => new Date(),
    models,
  }: Pick<Environment, "variables" | "workingDirectory"> &
    Partial<Pick<Environment, "now" | "models">>,
  {
    settings = {},
    cache,
    useCache = true,
    maxCost,
    runtime,
    tell,
    sanity,
  }: {
    settings?: CacheSettings | undefined;
    cache?: string | undefined;
    useCache?: boolean;
    maxCost?: number | undefined;
    runtime?: Runtime | undefined;
    tell?: (text: string) => void;
    sanity?: SanityChoice | undefined;
  } = {},
): Hosting {
  const clients = new Map<string, JsonClient>();
  const isOn = useCache && (cache !== undefined || settings.enabled !== false);
  const named = cache ?? (variables.TOUCHSTONE_CACHE || settings.directory);
  const replies = new ReplyStore(
    !isOn
      ? undefined
      : named === undefined
        ? userCache(variables)
        : named.startsWith("s3://")
          ? named
          : resolve(workingDirectory, named),
  );
  const sights =
    sanity === undefined ? undefined : new Sights({ replies, seed: randomUUID(), now, ...sanity });
  return {
    variables,
    workingDirectory,
    tell,
    runtime,
    maxCost,
    models,
    meter: new CallMeter(sights === undefined ? {} : { sights }),
    replies,
    async client(options) {
      const { openAiClient } = await import("../../models/openai-compatible/openai-compatible.js");
      const name = JSON.stringify([options.baseUrl?.replace(/\/+$/, ""), options.apiKey]);
      const client = openAiClient({ ...options, tell, sibling: clients.get(name) });
      clients.set(name, client);
      return client;
    },
  };
}

/** Resources by the flags of a verb that shows images to models. */
export const hostingAsGiven = (
  given: Given<typeof sanityArguments> & {
    readonly "no-cache"?: boolean;
    readonly "max-cost"?: number | undefined;
    readonly runtime?: Runtime | undefined;
  },
  asked: {
    readonly settings: Configuration;
    readonly environment: Environment;
    readonly output: Pick<Output, "note">;
  },
): Hosting =>
  hostingFor(asked.environment, {
    settings: asked.settings.cache,
    useCache: given["no-cache"] !== true,
    maxCost: given["max-cost"],
    runtime: given.runtime,
    tell: asked.output.note,
    sanity: sanityOf(given),
  });

/** The user's folder for what can be made again (XDG Base Directory Specification and its likes). */
function userCache(variables: Environment["variables"]): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = variables;
  const base = XDG_CACHE_HOME || LOCALAPPDATA || (HOME ? join(HOME, ".cache") : undefined);
  return base === undefined ? undefined : join(base, "touchstone", "replies");
}

/** Times of settings, in milliseconds; what they do not say is left to the adapter. */
export const timeOutsOf = ({
  timeoutSeconds,
  stallSeconds,
}: {
  readonly timeoutSeconds?: number | undefined;
  readonly stallSeconds?: number | undefined;
}): Partial<TimeOuts> => ({
  ...(timeoutSeconds === undefined ? {} : { total: timeoutSeconds * 1000 }),
  ...(stallSeconds === undefined ? {} : { stall: stallSeconds * 1000 }),
});

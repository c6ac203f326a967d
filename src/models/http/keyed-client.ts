import { randomUUID } from "node:crypto";
import { InputError } from "../../core/errors.js";
import { withoutCredentials } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { Limits } from "./call-limits.js";
import { type Clock, realClock } from "./clock.js";
import type { TimeOuts } from "./exchange.js";
import { JsonClient } from "./json-client.js";

export interface KeyedClientOptions {
  /** Where the server's API begins, such as http://localhost:8000/v1. */
  readonly baseUrl: string;
  /** Servers on this machine mostly need none. */
  readonly apiKey?: string | undefined;
  /** The environment variable that holds the key, for messages; empty where none is foreseen. */
  readonly keyName: string;
  /** The word before the key in the header Authorization; Bearer where not given. */
  readonly scheme?: "Bearer" | "Key" | undefined;
  /** The header that holds the key alone, such as x-key; Authorization with the word before it where not given. */
  readonly keyHeader?: string | undefined;
  /** Headers of every call beside the key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** 16 calls at once where not given, and no limit by minute. */
  readonly limits?: Limits | undefined;
  /** Milliseconds; 120,000 for a whole attempt and 60,000 without a byte where not given. */
  readonly timeOuts?: Partial<TimeOuts> | undefined;
  /** How often a call is made at most; 6 where not given. */
  readonly attempts?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock?: Clock | undefined;
  /** Takes what people should know while they wait, such as that the server is down. */
  readonly tell?: ((text: string) => void) | undefined;
  /** Another way to the same server: they stay within the stricter limits together. */
  readonly sibling?: JsonClient | undefined;
}

/**
 * The way to a server that lets in who has the key.
 *
 * @throws InputError for a base URL or a key that can't be sent.
 */
export function keyedClient({
  baseUrl,
  apiKey,
  keyName,
  scheme = "Bearer",
  keyHeader,
  headers = {},
  limits = {},
  timeOuts,
  attempts = 6,
  fetch = globalThis.fetch,
  clock = realClock,
  tell,
  sibling,
}: KeyedClientOptions): JsonClient {
  const key = apiKey?.trim() ?? "";
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw new InputError(`Expected a key of letters, digits and signs in ${keyName}`);
  }
  const address = checkBaseUrl(baseUrl);
  if (key.length >= 6 && address.includes(key)) {
    throw new InputError(
      `Expected a base URL without the key of ${keyName} but received one with`,
      {
        hint: "It is written into records. The key goes into a header by itself.",
      },
    );
  }
  const keyed =
    keyHeader === undefined ? { authorization: `${scheme} ${key}` } : { [keyHeader]: key };
  return new JsonClient(
    {
      baseUrl: address,
      headers: { ...headers, ...(key === "" ? {} : keyed) },
      secrets: key === "" ? [] : [{ name: keyName, value: key, behind: keyHeader ?? scheme }],
      limits,
      timeOuts: { total: 120_000, stall: 60_000, ...timeOuts },
      attempts,
      fetch,
      clock,
      random: randomFrom(randomUUID()),
      tell,
    },
    sibling,
  );
}

/** Goes into records and messages, so nothing secret may stand in it. */
function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (!isWeb) {
    throw new InputError(
      `Expected a base URL such as http://localhost:8000/v1 but received "${withoutCredentials(text)}"`,
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new InputError(
      "Expected a base URL without user, password, ? and # but received one with",
      {
        hint: "It is written into records. Keys come from the environment.",
      },
    );
  }
  return url.href.replace(/\/+$/, "");
}

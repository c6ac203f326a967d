import { randomUUID } from "node:crypto";
import { randomFrom } from "../../core/random.js";
import { NoAnswer } from "../../core/unscored.js";
import { CallFailure, mayPass, reasonOf } from "./call-failure.js";
import type { Clock } from "./clock.js";
import { exchange, type TimeOuts } from "./exchange.js";
import { backoff } from "./waits.js";

const attempts = 4;

/**
 * The bytes at an address that a provider named: http or https, or a data URL, which holds them. No
 * key goes there: the address need not be the provider's own. At most 64 MiB are read.
 *
 * @throws NoAnswer "provider-error" for another kind of address or what is not there, "timeout" or
 *   "rate-limited" as the server says, after four attempts; the signal's reason when it aborts.
 */
export async function download(
  url: string,
  options: {
    readonly fetch: typeof globalThis.fetch;
    readonly clock: Clock;
    readonly timeOuts: TimeOuts;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Uint8Array> {
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
    throw new NoAnswer(
      "provider-error",
      `Expected a web address of an image but received ${short(url)}`,
    );
  }
  const random = randomFrom(randomUUID());
  for (let attempt = 1; ; attempt++) {
    try {
      const { status, bytes } = await exchange({ method: "GET", url, headers: {} }, options);
      if (status >= 200 && status < 300) return bytes;
      throw new CallFailure("status", `HTTP ${status}`, { status });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (attempt < attempts && mayPass(error)) {
        await options.clock.sleep(backoff(attempt, random), options.signal);
        continue;
      }
      const message = `The image at ${short(url)} can't be fetched: ${error.message}`;
      throw new NoAnswer(reasonOf(error), message, { cause: error });
    }
  }
}

/** Addresses of images often carry a signature, which is a key of a sort. */
function short(url: string): string {
  const bare = url.split(/[?#]/, 1)[0] ?? "";
  return bare.length > 120 ? `${bare.slice(0, 120)}…` : bare;
}

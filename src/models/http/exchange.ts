import { CallFailure } from "./call-failure.js";
import type { Clock } from "./clock.js";

/** Milliseconds. */
export interface TimeOuts {
  /** For a whole attempt, however busily it drips. */
  readonly total: number;
  /** Without a single byte. */
  readonly stall: number;
}

/** A reply, whatever its status. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export interface Request {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Fields to send as multipart/form-data. */
  readonly form?: Readonly<Record<string, string>>;
  /** A longer reply is none, compressed or not; 64 MiB where not given. */
  readonly mostBytes?: number | undefined;
}

/**
 * Sends a request and reads the whole reply. A redirect is not followed, wherever it leads: what is sent
 * (images, keys, prompts) is meant for the address that was given, and so is the trust in what it says.
 *
 * @throws CallFailure where there is no whole reply in time, or a redirect; the signal's reason when it
 *   aborts.
 */
export async function exchange(
  { url, form, mostBytes = 64 * 2 ** 20, ...request }: Request,
  {
    fetch,
    clock,
    timeOuts,
    signal,
  }: {
    readonly fetch: typeof globalThis.fetch;
    readonly clock: Clock;
    readonly timeOuts: TimeOuts;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Reply> {
  signal?.throwIfAborted();
  const attempt = new AbortController();
  const giveUp = (why: string) => () => attempt.abort(new CallFailure("timeout", why));
  const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;
  const onAbort = () => attempt.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const stopTotal = clock.timer(
    timeOuts.total,
    giveUp(`no whole reply within ${seconds(timeOuts.total)}`),
  );
  const startStall = () =>
    clock.timer(timeOuts.stall, giveUp(`not a byte came for ${seconds(timeOuts.stall)}`));
  let stopStall = startStall();
  try {
    const response = await fetch(url, {
      ...request,
      // Fetch itself says the type of a form and where its parts end.
      ...(form === undefined ? {} : { body: formOf(form) }),
      redirect: "manual",
      signal: attempt.signal,
    });
    if (response.status >= 300 && response.status < 400) throw redirected(url, response);
    const pieces: Uint8Array[] = [];
    let size = 0;
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      stopStall();
      stopStall = startStall();
      pieces.push(read.value);
      size += read.value.length;
      if (size > mostBytes) {
        throw new CallFailure("faulty-reply", `a reply of more than ${mostBytes / 2 ** 20} MiB`);
      }
    }
    return { status: response.status, headers: response.headers, bytes: Buffer.concat(pieces) };
  } catch (error) {
    if (attempt.signal.aborted) throw attempt.signal.reason;
    // Whatever is still coming is not wanted; without this a reply too long would go on.
    attempt.abort();
    if (error instanceof CallFailure) throw error;
    throw new CallFailure("connection", connectionProblem(error), { cause: error });
  } finally {
    stopTotal();
    stopStall();
    signal?.removeEventListener("abort", onAbort);
  }
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** Only the origin of where it leads is said: the rest may hold a key. */
function redirected(url: string, { status, headers }: Response): CallFailure {
  const location = headers.get("location");
  const target =
    location !== null && URL.canParse(location, url) ? new URL(location, url).origin : "elsewhere";
  return new CallFailure(
    "redirect",
    `HTTP ${status}: a redirect to ${target}, which is not followed`,
    { status },
  );
}

/** Finds the cause behind fetch's own "fetch failed". */
function connectionProblem(error: unknown): string {
  const code = systemCodeOf(error);
  const known = code === undefined ? undefined : problems[code];
  if (known !== undefined) return known;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return code === undefined ? message : `${message} (${code})`;
}

/** The code of the system's or the client's error somewhere below; the deepest counts. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // An address with several numbers fails once for each.
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const below = systemCodeOf(inner);
  if (below !== undefined) return below;
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const problems: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was reset",
  UND_ERR_SOCKET: "the connection was closed before the reply was whole",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name of the host can't be looked up now",
  ETIMEDOUT: "the connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
};

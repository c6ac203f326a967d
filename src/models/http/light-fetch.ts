import { request as askByHttp, type IncomingMessage } from "node:http";
import { request as askByHttps } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { constants, createGunzip, createInflate } from "node:zlib";

/** Milliseconds until somebody takes the connection, as with the global fetch. */
const longestConnecting = 10_000;

/**
 * A fetch by Node's own client, at half the processor time of the global one. It takes a text or a form, keeps
 * connections and follows no redirect.
 */
export const lightFetch: typeof globalThis.fetch = async (input, { body, ...init } = {}) => {
  const url = String(input);
  const form = body instanceof FormData ? new Response(body) : undefined;
  const type = form?.headers.get("content-type");
  const sent = form === undefined ? body : Buffer.from(await form.arrayBuffer());
  const headers = {
    accept: "*/*",
    "accept-encoding": "gzip, deflate",
    "user-agent": "node",
    ...Object.fromEntries(new Headers(init.headers)),
    ...(type ? { "content-type": type } : {}),
  };
  const { method = "GET", signal } = init;
  return new Promise((resolve, reject) => {
    const ask = url.startsWith("https:") ? askByHttps : askByHttp;
    const request = ask(url, { method, headers, ...(signal ? { signal } : {}) });
    request.on("response", (reply) => {
      try {
        resolve(responseOf(reply));
      } catch (error) {
        request.destroy();
        reject(error);
      }
    });
    request.on("error", (error) => reject(named(error)));
    request.on("socket", (socket) => {
      if (!socket.connecting) return;
      const late = coded(new Error("connecting takes too long"), "UND_ERR_CONNECT_TIMEOUT");
      const timer = setTimeout(() => request.destroy(late), longestConnecting);
      for (const event of ["connect", "close"]) socket.once(event, () => clearTimeout(timer));
    });
    request.end(sent);
  });
};

function responseOf(reply: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = reply;
  if (status > 599) throw new Error(`HTTP ${status}, which is no status`);
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  }
  const bytes = unpacked(reply);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      bytes.on("data", (piece) => controller.enqueue(piece));
      bytes.on("end", () => controller.close());
      bytes.on("error", (error) => controller.error(named(error)));
    },
    cancel: () => void reply.destroy(),
  });
  return new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
}

const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const unpackers: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: () => createGunzip(flush),
  "x-gzip": () => createGunzip(flush),
  deflate: () => createInflate(flush),
};

function unpacked(reply: IncomingMessage): Readable {
  const unpacker = unpackers[reply.headers["content-encoding"]?.toLowerCase() ?? ""]?.();
  // Whoever reads the unpacker hears of the failure.
  return unpacker === undefined ? reply : pipeline(reply, unpacker, () => {});
}

/** A connection that was closed has the code of one that was reset, but no call of the system failed. */
const named = (error: NodeJS.ErrnoException): Error =>
  error.code === "ECONNRESET" && error.syscall === undefined
    ? coded(error, "UND_ERR_SOCKET")
    : error;

const coded = (error: Error, code: string): Error => Object.assign(error, { code });

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { setVariables } from "./s3-server.js";

/** What a call is answered with instead of what was asked for. */
export type Fault =
  | { readonly status: number; readonly code: string }
  /** Takes the half of what is sent, then cuts the connection. */
  | "cut"
  /** Sends the half of the answer, then cuts the connection. */
  | "half-answer"
  /** Never answers. */
  | "silence";

interface Options {
  /** Faults of the first calls of a method, in their order. */
  readonly faults?: Readonly<Record<string, readonly Fault[]>>;
  /** Whether objects' SHA-256 are told, as AWS does. */
  readonly tellsChecksums?: boolean;
}

export const testKeys = {
  AWS_ACCESS_KEY_ID: "AKIATESTSONLY",
  AWS_SECRET_ACCESS_KEY: "tests-only-secret-key",
  AWS_SESSION_TOKEN: "tests-only-session-token",
};

/**
 * A server that speaks the little of S3 that is used here and fails as it is told; the environment leads
 * to it until the test ends.
 */
export async function misbehavingS3({ faults = {}, tellsChecksums = true }: Options = {}) {
  const objects = new Map<string, Uint8Array>();
  const calls: string[] = [];
  const left = new Map(Object.entries(faults).map(([method, some]) => [method, [...some]]));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://s3");
    const method = url.searchParams.has("list-type") ? "LIST" : (request.method ?? "");
    calls.push(`${method} ${url.pathname}`);
    const fault = left.get(method)?.shift();
    if (fault === "silence") return;
    if (fault === "cut") {
      request.once("data", () => request.socket.destroy());
      return;
    }
    const body = await bytesOf(request);
    if (typeof fault === "object") return refuse(response, fault);
    if (method === "LIST") return list(response, url.searchParams.get("prefix") ?? "");
    if (method === "PUT") {
      objects.set(url.pathname, body);
      response.end();
      return;
    }
    const found = objects.get(url.pathname);
    if (found === undefined) return refuse(response, { status: 404, code: "NoSuchKey" });
    const checksum = createHash("sha256").update(found).digest("base64");
    if (tellsChecksums) response.setHeader("x-amz-checksum-sha256", checksum);
    response.setHeader("content-length", found.length);
    if (fault === "half-answer") {
      response.write(found.slice(0, found.length / 2), () => request.socket.destroy());
      return;
    }
    response.end(method === "HEAD" ? undefined : found);
  }

  function list(response: ServerResponse, start: string): void {
    const names = [...objects.keys()].map((path) => path.split("/").slice(2).join("/"));
    const contents = names
      .filter((name) => name.startsWith(start))
      .map((name) => `<Contents><Key>${name}</Key></Contents>`);
    response.end(`<ListBucketResult>${contents.join("")}</ListBucketResult>`);
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Expected a port");
  const restore = setVariables({
    ...testKeys,
    AWS_REGION: "us-east-1",
    AWS_ENDPOINT_URL: `http://127.0.0.1:${address.port}`,
  });
  onTestFinished(() => {
    restore();
    server.closeAllConnections();
    server.close();
  });
  return { objects, calls, close: () => server.close() };
}

function refuse(
  response: ServerResponse,
  { status, code }: { status: number; code: string },
): void {
  response.statusCode = status;
  // Some refusals repeat what was sent.
  const said = `${Object.values(testKeys).join(" ")}`;
  response.end(`<Error><Code>${code}</Code><Message>${code}: ${said}</Message></Error>`);
}

async function bytesOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { realClock } from "./clock.js";
import { exchange } from "./exchange.js";
import { lightFetch } from "./light-fetch.js";

async function served(listener: RequestListener) {
  const sockets = new Set<Socket>();
  const server = createServer(listener).on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
}

const timeOuts = { total: 10_000, stall: 10_000 };
const got = (url: string, more: object = {}) =>
  exchange(
    { method: "GET", url, headers: {} },
    { fetch: lightFetch, clock: realClock, timeOuts, ...more },
  );

test("texts and forms arrive with their headers, over one connection", async () => {
  const { url, sockets } = await served(async (request, response) => {
    const { method, headers } = request;
    const body = await new Response(request as never).text();
    response.setHeader("set-cookie", ["a=1", "b=2"]).end(JSON.stringify({ method, headers, body }));
  });
  const headers = { "content-type": "application/json", authorization: "Bearer key" };
  const sent = await lightFetch(url, { method: "POST", headers, body: '{"é":1}' });
  expect(sent.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await sent.json()).toMatchObject({
    method: "POST",
    headers: { ...headers, "content-length": "8" },
    body: '{"é":1}',
  });
  const form = new FormData();
  form.append("name", "value");
  const filled = await lightFetch(url, { method: "POST", body: form });
  expect(await filled.json()).toMatchObject({
    headers: { "content-type": expect.stringMatching(/^multipart\/form-data; boundary=/) },
    body: expect.stringMatching(/name="name"\s+value/),
  });
  expect(sockets.size).toBe(1);
});

test("a packed reply is unpacked, and one of no content has no body", async () => {
  const { url } = await served((request, response) => {
    if (request.url === "/none") response.writeHead(204).end();
    else response.setHeader("content-encoding", "gzip").end(gzipSync("plain"));
  });
  expect(String((await got(url)).bytes)).toBe("plain");
  expect(await got(`${url}none`)).toMatchObject({ status: 204, bytes: Buffer.alloc(0) });
});

test.each([
  ["/closed", "connection", "the connection was closed before the reply was whole"],
  ["/cut", "connection", "the connection was closed before the reply was whole"],
  ["/moved", "redirect", "HTTP 302: a redirect to elsewhere, which is not followed"],
  ["/status", "connection", "HTTP 799, which is no status"],
])("%s fails as a %s", async (path, kind, message) => {
  const { url } = await served((request, response) => {
    if (request.url === "/closed") request.socket.destroy();
    if (request.url === "/moved") response.writeHead(302).end();
    if (request.url === "/status") response.writeHead(799).end();
    if (request.url === "/cut") {
      response.writeHead(200, { "content-length": 100 }).write("half", () => response.destroy());
    }
  });
  const failure = await got(url.slice(0, -1) + path).catch((error) => error);
  expect(failure).toMatchObject({ kind });
  expect(failure.message).toBe(message);
});

test("an abort ends a call that waits, and one whose reply is under way", async () => {
  const { url } = await served((request, response) => {
    if (request.url === "/slow") response.write("some");
  });
  for (const path of ["", "slow"]) {
    const stop = new AbortController();
    const answer = got(url + path, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    await expect(answer).rejects.toThrow("stopped");
  }
});

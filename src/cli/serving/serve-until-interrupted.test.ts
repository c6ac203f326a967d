import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { expect, test } from "vitest";
import { type Listening, serveUntilInterrupted } from "./serve-until-interrupted.js";

const size = 8_000_000;
const tooLarge = () => new Response("at most 1,000 bytes", { status: 413 });

test.each([
  ["its length is told", `Content-Length: ${size}\r\n\r\n`, ""],
  [
    "it comes in chunks",
    `Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`,
    "\r\n0\r\n\r\n",
  ],
])("who sends too much and reads only then is told so, where %s", async (_, opening, ending) => {
  const app = new Hono().use(bodyLimit({ maxSize: 1000, onError: tooLarge }));
  app.post("/", async (context) => context.text(await context.req.text()));
  const stopping = new AbortController();
  let served: Promise<void> | undefined;
  const { port } = await new Promise<Listening>((onListening) => {
    const { signal } = stopping;
    served = serveUntilInterrupted(app.fetch, { host: "127.0.0.1", port: 0, signal, onListening });
  });

  const socket = connect(port, "127.0.0.1").pause();
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${opening}`);
  for (let sent = 0; sent < size; sent += size / 8) {
    if (!socket.write("x".repeat(size / 8))) await once(socket, "drain");
  }
  socket.write(ending);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*at most 1,000 bytes$/s);
  stopping.abort();
  await served;
});

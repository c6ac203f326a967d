import dns from "node:dns";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { databaseAt } from "./database.js";

test.each([
  ["ENOTFOUND", "input", /No server has this name here/],
  ["EAI_AGAIN", "store", /Is PostgreSQL running there/],
])("a server whose name gives %s is an error of kind %s", async (code, kind, hint) => {
  const failure = Object.assign(new Error(`getaddrinfo ${code} db.example`), { code });
  const lookup = vi.spyOn(dns, "lookup").mockImplementation((...given: unknown[]) => {
    const done = given.at(-1);
    if (typeof done === "function") done(failure);
  });
  const opening = databaseAt(`postgres://me:secret@db.example/touchstone-${code}`);
  const error = await opening.rows("select 1").catch((thrown: unknown) => thrown);
  lookup.mockRestore();
  expect(error).toMatchObject({ code: kind, hint: expect.stringMatching(hint) });
  expect(String(error)).toContain("postgres://me@db.example/");
  expect(String(error)).not.toContain("secret");
});

test("a pooler that refuses the session's settings is no server that is away", async () => {
  const fields = ["SFATAL", "C08P01", "Munsupported startup parameter: options", ""];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(""));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + length.length);
  const pooler = createServer((socket) => {
    socket.once("data", () => socket.end(Buffer.concat([Buffer.from("E"), length, body])));
  });
  onTestFinished(() => void pooler.close());
  pooler.listen(0, "127.0.0.1");
  await once(pooler, "listening");
  const { port } = Object(pooler.address());
  const database = databaseAt(`postgres://me:secret@127.0.0.1:${port}/db`);
  await expect(database.rows("select 1")).rejects.toMatchObject({
    code: "input",
    hint: expect.stringContaining("ignore_startup_parameters"),
  });
});

test("a server that falls silent is away, for who waits for a connection of the pool, too", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const sockets: Socket[] = [];
  const allOfPool = new Promise<void>((resolve) => {
    silent.on("connection", (socket) => {
      if (sockets.push(socket) === 6) resolve();
    });
  });
  onTestFinished(() => {
    vi.useRealTimers();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = Object(silent.address());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const database = databaseAt(`postgres://me:secret@127.0.0.1:${port}/db`);
  const asked = Promise.allSettled(Array.from({ length: 7 }, () => database.rows("select 1")));
  await allOfPool;
  await vi.advanceTimersByTimeAsync(20_000);
  for (const one of await asked) expect(one).toMatchObject({ reason: { code: "store" } });
});

import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { locateFiles } from "../../../evidence/locate-files.js";
import type { EvidenceSet } from "../../../evidence/set-schema.js";
import { type FetchedFile, fetchSet } from "./evidence-fetch.js";

const content = Buffer.from("a file that is downloaded\n".repeat(200));
const sha256 = createHash("sha256").update(content).digest("hex");
const commit = "1".repeat(40);
const file = { path: "data/the file.json", sha256, bytes: content.length };
const set = { repository: "owner/name", commit, files: [file] };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function served(answer: Answer) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.range ?? "whole"}`);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return { from: `http://127.0.0.1:${port}`, asked };
}

async function fetched(to: string, from: string): Promise<FetchedFile[]> {
  const options = { to, from, fetch: globalThis.fetch, signal: new AbortController().signal };
  const found: FetchedFile[] = [];
  for await (const one of fetchSet(set, options)) found.push(one);
  return found;
}
const place = (to: string) => join(to, "owner/name/data/the file.json");
const whole: Answer = (_, response) => response.end(content);

it("downloads from the commit's address, once", async () => {
  const to = await temporaryDirectory();
  const { from, asked } = await served(whole);
  expect(await fetched(to, from)).toEqual([{ path: file.path, state: "fetched" }]);
  expect(await readFile(place(to))).toEqual(content);
  expect(asked).toEqual([`/owner/name/${commit}/data/the%20file.json whole`]);
  expect(await fetched(to, from)).toEqual([{ path: file.path, state: "there" }]);
  expect(asked).toHaveLength(1);
});

it("goes on with a file that was cut", async () => {
  const to = await temporaryDirectory();
  const half = content.length / 2;
  const { from, asked } = await served((request, response) => {
    if (request.headers.range !== undefined) {
      response.writeHead(206);
      response.end(content.subarray(half));
      return;
    }
    response.end(content.subarray(0, half));
  });
  const [cut] = await fetched(to, from);
  expect(cut).toMatchObject({ state: "failed", reason: expect.stringContaining(`${half} of`) });
  expect(await fetched(to, from)).toEqual([{ path: file.path, state: "fetched" }]);
  expect(asked[1]).toMatch(`bytes=${half}-`);
  expect(await readFile(place(to))).toEqual(content);
});

it("begins anew where the server sends the whole file again", async () => {
  const to = await temporaryDirectory();
  await mkdir(join(to, "owner/name/data"), { recursive: true });
  await writeFile(`${place(to)}.part`, content.subarray(0, 100));
  const { from } = await served(whole);
  expect(await fetched(to, from)).toEqual([{ path: file.path, state: "fetched" }]);
});

it("keeps no file of another hash, and asks for the whole of it the next time", async () => {
  const to = await temporaryDirectory();
  const { from, asked } = await served((_, response) => response.end(Buffer.alloc(content.length)));
  const [wrong] = await fetched(to, from);
  expect(wrong).toMatchObject({ state: "failed", reason: expect.stringContaining(sha256) });
  await expect(readFile(place(to))).rejects.toThrow();
  await fetched(to, from);
  expect(asked[1]).toMatch("whole");
});

it("says what a server that has no file answers, and that nothing is reached", async () => {
  const to = await temporaryDirectory();
  const { from } = await served((_, response) => {
    response.writeHead(404);
    response.end();
  });
  expect(await fetched(to, from)).toMatchObject([{ reason: expect.stringContaining("404") }]);
  // Nothing listens on port 1.
  expect(await fetched(to, "http://127.0.0.1:1")).toMatchObject([{ state: "failed" }]);
});

it("finds files by what is in them, whatever they are called", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "deep/.git"), { recursive: true });
  await writeFile(join(directory, "deep/.git/object"), content);
  const wanted = { ...set, name: "made" } as EvidenceSet;
  expect((await locateFiles(directory, [wanted]))[0]?.missing).toEqual([file.path]);
  await writeFile(join(directory, "deep/of the same size"), Buffer.alloc(content.length));
  await writeFile(join(directory, "deep/other name"), content);
  const [located] = await locateFiles(directory, [wanted]);
  expect(located?.paths.get(file.path)).toBe(join(directory, "deep/other name"));
});

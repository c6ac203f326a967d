import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { InputError } from "../core/errors.js";
import { type JsonLine, readJsonLines } from "./json-lines.js";

async function read(content: string | Uint8Array, options?: { tolerateTornTail: boolean }) {
  const path = join(await temporaryDirectory(), "items.jsonl");
  await writeFile(path, content);
  const lines: JsonLine[] = [];
  for await (const line of readJsonLines(path, options)) lines.push(line);
  return lines;
}

test("gives each value with its line and its place in bytes", async () => {
  expect(await read('{"a":"ä"}\n\n  \r\n[1]\r\n3')).toEqual([
    { line: 1, value: { a: "ä" }, offset: 0, length: 10 },
    { line: 4, value: [1], offset: 16, length: 4 },
    { line: 5, value: 3, offset: 21, length: 1 },
  ]);
  expect(await read("")).toEqual([]);
});

test("reads lines longer than what is read at a time, and ones that end with it", async () => {
  const long = "x".repeat(600_000);
  const exact = "y".repeat(262_144 - 3);
  const lines = await read(`${JSON.stringify(exact)}\n${JSON.stringify(long)}\n1\n`);
  expect(lines.map(({ line, value }) => [line, String(value).length])).toEqual([
    [1, exact.length],
    [2, long.length],
    [3, 1],
  ]);
});

test("passes over the byte order mark of an editor on Windows", async () => {
  expect((await read("\ufeff1\n"))[0]?.value).toBe(1);
});

test("names file, line and text of a bad line", async () => {
  const attempt = read('{"a":1}\n{"a":\n{"a":3}\n');
  await expect(attempt).rejects.toThrow(InputError);
  await expect(attempt).rejects.toThrow(/received \{"a": \(in .*items\.jsonl, line 2\)/);
});

test("says what to do about NaN and about another encoding", async () => {
  await expect(read('{"score": NaN}\n')).rejects.toMatchObject({
    hint: expect.stringContaining("JSON has no NaN"),
  });
  await expect(read(new Uint8Array([0x22, 0xe4, 0x22, 0x0a]))).rejects.toMatchObject({
    message: expect.stringContaining("Expected UTF-8 text"),
    hint: "Save the file as UTF-8.",
  });
});

test("passes over a torn last line only where it is told to", async () => {
  const torn = '{"a":1}\n{"a":"\u00e4';
  const bytes = new TextEncoder().encode(torn).slice(0, -1);
  await expect(read(torn)).rejects.toThrow("line 2");
  expect(await read(torn, { tolerateTornTail: true })).toHaveLength(1);
  expect(await read(bytes, { tolerateTornTail: true })).toHaveLength(1);
});

test("does not take a broken line in the middle, or one with its end, for a torn one", async () => {
  await expect(read('{"a":\n1\n', { tolerateTornTail: true })).rejects.toThrow("line 1");
  await expect(read('1\n{"a":\n', { tolerateTornTail: true })).rejects.toThrow("line 2");
});

test("keeps a whole last line that only lacks its end", async () => {
  expect(await read('1\n{"a":2}', { tolerateTornTail: true })).toHaveLength(2);
});

test("a file that is not there is wrong input", async () => {
  const lines = readJsonLines(join(await temporaryDirectory(), "none.jsonl"));
  await expect(lines.next()).rejects.toThrow(InputError);
});

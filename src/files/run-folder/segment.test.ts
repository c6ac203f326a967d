import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { LineReader } from "./line-reader.js";
import { Segment, segmentsIn } from "./segment.js";

test("lines appended at once come in the order of the calls, where their places say", async () => {
  const segment = await Segment.create(await temporaryDirectory());
  const texts = Array.from({ length: 50 }, (_, index) => JSON.stringify(`ä${"x".repeat(index)}`));
  const together = segment.append(texts.slice(0, 20));
  const apart = texts.slice(20).flatMap((text) => segment.append([text]));
  const places = [...together, ...apart];
  await segment.close();
  expect(await readFile(segment.path, "utf8")).toBe(`${texts.join("\n")}\n`);
  const lines = new LineReader();
  const read = [];
  for (const place of places) read.push(await lines.read(place));
  await lines.close();
  expect(read).toEqual(texts);
});

test("a line is in the file once it is appended", async () => {
  const segment = await Segment.create(await temporaryDirectory());
  segment.append(["1"]);
  expect(await readFile(segment.path, "utf8")).toBe("1\n");
  await segment.close();
});

test("closing twice closes no file that was opened since", async () => {
  const directory = await temporaryDirectory();
  const segment = await Segment.create(directory);
  await segment.close();
  // It takes the descriptor that is free now.
  const other = await Segment.create(directory);
  await segment.close();
  other.append(["1"]);
  await other.close();
  expect(await readFile(other.path, "utf8")).toBe("1\n");
});

test("no two share a file, and all are found in the order of their numbers", async () => {
  const directory = await temporaryDirectory();
  const segments = await Promise.all(Array.from({ length: 11 }, () => Segment.create(directory)));
  for (const segment of segments) await segment.close();
  await writeFile(join(directory, "01-build.jsonl"), "");
  const found = await segmentsIn(directory);
  expect(found).toEqual(
    Array.from({ length: 11 }, (_, index) => join(directory, `segment-${index + 1}.jsonl`)),
  );
  expect(new Set(segments.map((segment) => segment.path)).size).toBe(11);
});

test("there are no segments where there is no folder", async () => {
  expect(await segmentsIn(join(await temporaryDirectory(), "none"))).toEqual([]);
});

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { type MadeMember, tarBytes } from "../../../test/support/tar-bytes.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import { imageSets, tarMembers } from "./image-set.js";

const fixture = (name: string) =>
  readFile(new URL(`../../../test/fixtures/image-sets/${name}`, import.meta.url));

/** Reads every image of a Parquet file; the number of rows, or why they can't be read. */
async function rowsIn(bytes: Uint8Array): Promise<number | unknown> {
  const folder = await temporaryDirectory();
  await writeFile(join(folder, "a.parquet"), bytes);
  try {
    let count = 0;
    for (const { rows } of await imageSets("a.parquet", folder)) {
      for await (const { place } of rows) if (place !== "") count += 1;
    }
    return count;
  } catch (error) {
    return error;
  }
}

/** Some bytes of a file changed, or a part of it taken out. */
function damaged(bytes: Uint8Array, seed: number): Uint8Array {
  const random = randomFrom(0, "damaged", seed);
  const places = Array.from({ length: 1 + random.integer(4) }, () => random.integer(bytes.length));
  if (seed % 5 === 0) {
    const [from = 0, to = 0] = [...places, bytes.length].sort((a, b) => a - b);
    return Uint8Array.from([
      ...bytes.subarray(0, from),
      ...bytes.subarray(Math.min(to, from + 99)),
    ]);
  }
  const changed = Uint8Array.from(bytes);
  for (const place of places) changed[place] = random.integer(256);
  return changed;
}

test("a list of images gives each with the row's text, and an empty one a row without an image", async () => {
  const schema: SchemaElement[] = [
    { name: "root", num_children: 2 },
    { name: "text", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
    { name: "images", num_children: 1, converted_type: "LIST", repetition_type: "OPTIONAL" },
    { name: "list", num_children: 1, repetition_type: "REPEATED" },
    { name: "element", num_children: 2, repetition_type: "OPTIONAL" },
    { name: "bytes", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
    { name: "path", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  ];
  const image = (path: string) => ({ bytes: new TextEncoder().encode(path), path });
  const columnData = [
    { name: "text", data: ["a cat", "a dog", "a cow"] },
    { name: "images", data: [[image("a.png")], [image("b.png"), image("c.png")], []] },
  ];
  const folder = await temporaryDirectory();
  const path = join(folder, "lists.parquet");
  await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData, schema })));
  const found: unknown[] = [];
  for (const { rows } of await imageSets("lists.parquet", folder)) {
    for await (const { image, bytes, values } of rows) {
      found.push([image, Buffer.from(bytes ?? []).toString(), values.text]);
    }
  }
  expect(found).toEqual([
    ["a.png", "a.png", "a cat"],
    ["b.png", "b.png", "a dog"],
    ["c.png", "c.png", "a dog"],
    ["lists.parquet row 3", "", "a cow"],
  ]);
});

test.each(["datasets.parquet", "pairs.parquet"])(
  "a damaged %s gives rows or an InputError",
  async (name) => {
    const bytes = new Uint8Array(await fixture(name));
    expect(await rowsIn(bytes)).toBeGreaterThan(0);
    let refused = 0;
    for (let seed = 0; seed < 200; seed++) {
      const found = await rowsIn(damaged(bytes, seed));
      if (typeof found === "number") continue;
      expect(found, `seed ${seed}`).toBeInstanceOf(InputError);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(20);
  },
);

async function read(archive: Uint8Array): Promise<string[]> {
  const path = join(await temporaryDirectory(), "a.tar");
  await writeFile(path, archive);
  const found = [];
  for await (const { name, bytes } of tarMembers(path, "a.tar")) {
    found.push(`${name}: ${new TextDecoder().decode(bytes)}`);
  }
  return found;
}

const pax = (record: string) => `${record.length + 3} ${record}\n`;

test("gives files in their order, with names of any length", async () => {
  const long = `${"folder/".repeat(30)}a.txt`;
  const archive = tarBytes([
    { name: "./a.txt", content: "one" },
    { name: "folder", type: "5" },
    { name: "empty.txt" },
    { name: "././@LongLink", type: "L", content: `${long}\0` },
    { name: "cut", content: "two" },
    { name: "PaxHeader", type: "x", content: pax("path=bär.txt") },
    { name: "cut", content: "x".repeat(513) },
  ]);
  expect(await read(archive)).toEqual([
    "a.txt: one",
    "empty.txt: ",
    `${long}: two`,
    `bär.txt: ${"x".repeat(513)}`,
  ]);
});

describe("refuses", () => {
  test.each<[string, MadeMember, string]>([
    ["a link", { name: "a", type: "2" }, 'holds "a", a link'],
    ["a hard link", { name: "a", type: "1" }, 'holds "a", a link'],
    ["a device", { name: "a", type: "3" }, 'holds "a", a device'],
    ["a sparse file", { name: "a", type: "S" }, "a sparse file"],
    ["a path upwards", { name: "a/../../b" }, "a path out of it"],
    ["an absolute path", { name: "/etc/passwd" }, "a path out of it"],
    [
      "a file larger than an image",
      { name: "a", size: 2_000_000_000 },
      "2000 MB, which is too large",
    ],
    ["a size that is a lie", { name: "a", content: "x", size: 5000 }, "is cut short in"],
    ["a header that is too large", { name: "a", type: "L", size: 2_000_000 }, "too large"],
  ])("%s", async (_, member, problem) => {
    const archive = tarBytes([{ name: "first.txt", content: "1" }, member]);
    const error = await read(archive).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).toContain(problem);
    const { hint } = error as InputError;
    if (problem.endsWith("a link")) expect(hint).toContain("--hard-dereference");
  });

  test("what is no archive, and one that is cut short or damaged anywhere", async () => {
    await expect(read(Buffer.from("not a tar"))).rejects.toThrow("is none");
    await expect(read(Buffer.alloc(0))).rejects.toThrow("is none");
    const archive = tarBytes([{ name: "a.txt", content: "x".repeat(600) }]);
    for (const length of [1, 511, 512, 513, 1111, 1535]) {
      await expect(read(archive.subarray(0, length))).rejects.toThrow(InputError);
    }
    // A writer that was stopped after a whole member leaves a whole member.
    expect(await read(archive.subarray(0, 1536))).toHaveLength(1);
    archive[3] = 1;
    await expect(read(archive)).rejects.toThrow(InputError);
  });
});

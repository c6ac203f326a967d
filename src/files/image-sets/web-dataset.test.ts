import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type MadeMember, tarBytes } from "../../../test/support/tar-bytes.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { InputError } from "../../core/errors.js";
import { tarMembers } from "./image-set.js";

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

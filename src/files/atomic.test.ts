import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { InputError } from "../core/errors.js";
import { ownerOfLeftover, temporaryPath, writeFileAtomically } from "./atomic.js";
import { type ProcessName, processNamed } from "./job-life.js";

test("writes text, bytes and pieces, and makes the folders on the way", async () => {
  const directory = await temporaryDirectory();
  async function* pieces() {
    yield "a";
    yield new Uint8Array([0xc3, 0xa4]);
    yield "b".repeat(70_000);
    yield "c";
  }
  await writeFileAtomically(join(directory, "deep/er/text"), "ä\n");
  await writeFileAtomically(join(directory, "bytes"), new Uint8Array([0, 255]));
  await writeFileAtomically(join(directory, "pieces"), pieces());
  expect(await readFile(join(directory, "deep/er/text"), "utf8")).toBe("ä\n");
  expect([...(await readFile(join(directory, "bytes")))]).toEqual([0, 255]);
  expect(await readFile(join(directory, "pieces"), "utf8")).toBe(`aä${"b".repeat(70_000)}c`);
  expect(await readdir(directory)).toEqual(["bytes", "deep", "pieces"]);
});

test("keeps what stood, and leaves nothing beside it, when the content fails half-way", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "file");
  await writeFile(path, "before");
  let beside: string[] = [];
  async function* broken() {
    yield "x".repeat(100_000);
    beside = (await readdir(directory)).flatMap((name) => ownerOfLeftover(name) ?? []);
    throw new Error("the content ended");
  }
  await expect(writeFileAtomically(path, broken(), { owner: "me" })).rejects.toThrow(
    "the content ended",
  );
  expect(beside).toEqual(["me"]);
  expect(await readdir(directory)).toEqual(["file"]);
  expect(await readFile(path, "utf8")).toBe("before");
});

test("refuses a path below a file, by name", async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, "file");
  await writeFile(file, "a file");
  const attempt = writeFileAtomically(join(file, "below"), "text");
  await expect(attempt).rejects.toThrow(InputError);
  await expect(attempt).rejects.toThrow(join(file, "below"));
  expect(await readdir(directory)).toEqual(["file"]);
});

test("refuses a path where a folder stands, and removes what it had written beside", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "taken/inside"), { recursive: true });
  const attempt = writeFileAtomically(join(directory, "taken"), "text");
  await expect(attempt).rejects.toThrow(InputError);
  expect(await readdir(directory)).toEqual(["taken"]);
});

/** The number of a process that has ended. */
const ended = () => spawnSync(process.execPath, ["--version"]).pid;

test("removes what a killed process left of the same file, and nothing of a living one's", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "out.csv");
  const left = async (by: ProcessName, file = path, owner = "nobody") => {
    const leftover = await temporaryPath(file, { owner, by });
    await writeFile(leftover, "half");
    return basename(leftover);
  };
  await left({ process: ended() });
  // Its number went to another process since.
  await left({ process: process.pid, began: "1" });
  const kept = [
    await left({ process: process.pid, began: (await processNamed()).began }),
    await left({ process: ended() }, join(directory, "other.csv")),
    await left({ process: ended() }, path, "4f0a"),
  ];
  const elsewhere = `.touchstone-nobody-out.csv.00000000-${ended()}--1a2b3c4d`;
  await writeFile(join(directory, elsewhere), "another machine's");
  await writeFileAtomically(path, "whole");
  expect((await readdir(directory)).sort()).toEqual([...kept, elsewhere, "out.csv"].sort());
});

test("a file is written under any name that a folder takes", async () => {
  const directory = await temporaryDirectory();
  const name = `${"ä".repeat(120)}.csv`;
  await writeFileAtomically(join(directory, name), "text");
  expect(await readdir(directory)).toEqual([name]);
});

test.skipIf(process.platform !== "linux")(
  "a device is written to and stays one, and is told of where it is full",
  async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, "out.csv");
    await symlink("/dev/full", path);
    const attempt = writeFileAtomically(path, "text");
    await expect(attempt).rejects.toMatchObject({
      code: "disk",
      message: `Could not write ${path}: the disk is full`,
    });
    expect(await readlink(path)).toBe("/dev/full");
    expect(await readdir(directory)).toEqual(["out.csv"]);
  },
);

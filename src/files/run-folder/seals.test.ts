import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { Seals } from "./seals.js";

let run = "";
let seals = new Seals(run);
beforeEach(async () => {
  run = await temporaryDirectory();
  seals = new Seals(run);
});

const name = "records/01-build.jsonl";

test("a file is sealed, changed, gone, unsealed or absent", async () => {
  expect(await seals.stateOf(name)).toBe("absent");
  await seals.write(name, "one\n");
  expect(await seals.stateOf(name)).toBe("sealed");
  await writeFile(join(run, name), "One\n");
  expect(await seals.stateOf(name)).toBe("changed");
  await rm(join(run, name));
  expect(await seals.stateOf(name)).toBe("gone");
  await writeFile(join(run, name), "one\n");
  expect(await seals.stateOf(name)).toBe("sealed");
  await rm(seals.pathOf(name));
  expect(await seals.stateOf(name)).toBe("unsealed");
});

test("a seal is what sha256sum writes, with one line for what stands", async () => {
  await seals.write(name, "one\n");
  await seals.write(name, "two\n");
  expect(await readFile(seals.pathOf(name), "utf8")).toBe(
    // printf 'two\n' | sha256sum
    `27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a  ${name}\n`,
  );
});

test("killed before its file was replaced, a seal fits what stood and what was to come", async () => {
  await mkdir(join(run, "records"));
  await writeFile(join(run, name), "collected before there were seals\n");
  const seen: string[] = [];
  await seals.write(
    name,
    (async function* () {
      yield "two\n";
      seen.push(await seals.stateOf(name));
    })(),
  );
  expect(seen).toEqual(["unsealed"]);
  expect(await seals.stateOf(name)).toBe("sealed");
  const [two = ""] = (await readFile(seals.pathOf(name), "utf8")).split(" ");
  await writeFile(seals.pathOf(name), `${"0".repeat(64)}  ${name}\n${two}  ${name}\n`);
  expect(await seals.stateOf(name)).toBe("sealed");
});

test("whoever reads while a file is replaced again and again finds it sealed", async () => {
  await seals.write(name, "0\n");
  let isOver = false;
  const write = async () => {
    for (let round = 1; round <= 30; round++) await seals.write(name, `${round}\n`);
    isOver = true;
  };
  const seen = new Set<string>();
  const read = async () => {
    while (!isOver) seen.add(await seals.stateOf(name));
  };
  await Promise.all([write(), read()]);
  expect([...seen]).toEqual(["sealed"]);
});

test("a damaged seal fits nothing", async () => {
  await seals.write(name, "one\n");
  await writeFile(seals.pathOf(name), "");
  expect(await seals.stateOf(name)).toBe("changed");
});

import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { InputError } from "../../core/errors.js";
import { WorkFolder } from "./run-work.js";

const workFolder = async () => new WorkFolder(join(await temporaryDirectory(), "work"));

/** Someone at work by the words of a file. */
async function appear({ directory }: WorkFolder, id: string, who: object, ...others: string[]) {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${id}.json`), JSON.stringify(who));
  for (const name of others) await writeFile(join(directory, `${id}.${name}`), "");
}
const killed = { host: hostname(), process: spawnSync(process.execPath, ["--version"]).pid };
const elsewhere = { host: "elsewhere", process: 1 };

test("those at work see each other, and the last to leave removes the folder", async () => {
  const folder = await workFolder();
  const one = await folder.enter({ command: "touchstone demo" });
  const two = await folder.enter();
  expect(await two.others()).toMatchObject([
    { id: one.id, process: process.pid, command: "touchstone demo", waits: true },
  ]);
  await one.leave();
  expect(await two.others()).toEqual([]);
  await two.leave();
  await expect(readdir(folder.directory)).rejects.toThrow("ENOENT");
});

test("one at a time holds the folder, until it leaves", async () => {
  const folder = await workFolder();
  const [one, two] = [await folder.enter(), await folder.enter()];
  expect(await one.hold()).toBeUndefined();
  expect(await two.hold()).toMatchObject({ id: one.id, process: process.pid, isHere: true });
  await one.leave();
  expect(await two.hold()).toBeUndefined();
  await two.leave();
});

test("of many who want to hold it at once exactly one does", async () => {
  for (let round = 0; round < 10; round++) {
    const folder = await workFolder();
    const places = await Promise.all(Array.from({ length: 8 }, () => folder.enter()));
    const holders = await Promise.all(places.map((place) => place.hold()));
    expect(holders.filter((holder) => holder === undefined)).toHaveLength(1);
  }
});

test("turns never overlap", async () => {
  const folder = await workFolder();
  const places = await Promise.all(Array.from({ length: 6 }, () => folder.enter()));
  const path = join(folder.directory, "count");
  await writeFile(path, "0");
  const count = (place: (typeof places)[number]) =>
    place.inTurn(async () => {
      const before = Number(await readFile(path, "utf8"));
      await new Promise((resolve) => setImmediate(resolve));
      await writeFile(path, String(before + 1));
    });
  await Promise.all([...places, ...places, ...places].map(count));
  expect(await readFile(path, "utf8")).toBe("18");
});

test("a killed process that held it, or had its turn, is in nobody's way", async () => {
  const folder = await workFolder();
  await appear(folder, "00000000", killed, "turn", "claim.a.0");
  await appear(folder, "00000001", { ...killed, process: process.pid, began: "long ago" }, "turn");
  await writeFile(join(folder.directory, "00000002.turn"), "");
  await writeFile(join(folder.directory, "00000003.json"), '{"host":');
  const place = await folder.enter();
  expect(await place.hold()).toBeUndefined();
  expect((await folder.look()).gone).toEqual(["00000000", "00000001", "00000002", "00000003"]);
  await folder.clear((await folder.look()).gone);
  expect((await readdir(folder.directory)).every((name) => name.startsWith(place.id))).toBe(true);
});

test("does not guess about another machine's process: it holds the folder until it is taken over", async () => {
  const folder = await workFolder();
  await appear(folder, "00000000", elsewhere);
  const place = await folder.enter();
  const holder = await place.hold();
  expect(holder).toMatchObject({ isHere: false });
  expect(holder?.path).toBe(join(folder.directory, "00000000.json"));
  await folder.takeOver();
  expect(await place.hold()).toBeUndefined();
});

test("one whose own file was removed stops instead of working beside the others", async () => {
  const folder = await workFolder();
  const place = await folder.enter();
  await folder.clear([place.id]);
  await expect(place.hold()).rejects.toThrow(InputError);
});

test("a process whose file can't be read is not taken for one that is gone", async () => {
  const folder = await workFolder();
  await mkdir(join(folder.directory, "held.json"), { recursive: true });
  await expect(folder.look()).rejects.toThrow(InputError);
});

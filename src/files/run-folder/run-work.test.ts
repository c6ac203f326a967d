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
    { id: one.id, process: process.pid, command: "touchstone demo", claims: [] },
  ]);
  await one.leave();
  expect(await two.others()).toEqual([]);
  await two.leave();
  await expect(readdir(folder.directory)).rejects.toThrow("ENOENT");
});

test("a name is claimed by one at a time, and free once it is released or its owner has left", async () => {
  const folder = await workFolder();
  const [one, two] = [await folder.enter(), await folder.enter()];
  expect(await one.claim("a.0")).toMatchObject({ isMine: true, others: [{ id: two.id }] });
  expect((await two.claim("a.0")).isMine).toBe(false);
  expect((await two.claim("a.1")).isMine).toBe(true);
  await one.release("a.0");
  expect((await two.claim("a.0")).isMine).toBe(true);
  await two.leave();
  expect((await one.claim("a.1")).isMine).toBe(true);
});

test("of many who want the same name at once one gets it, whoever asks first", async () => {
  const folder = await workFolder();
  const places = await Promise.all(Array.from({ length: 8 }, () => folder.enter()));
  for (let round = 0; round < 10; round++) {
    const claims = await Promise.all(places.map((place) => place.claim(`batch ${round}`)));
    expect(claims.filter(({ isMine }) => isMine)).toHaveLength(1);
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

test("what a killed process claimed, or its turn, is in nobody's way", async () => {
  const folder = await workFolder();
  await appear(folder, "00000000", killed, "turn", "claim.a.0");
  await appear(folder, "00000001", { ...killed, process: process.pid, began: "long ago" }, "turn");
  await writeFile(join(folder.directory, "00000002.claim.a.0"), "");
  await writeFile(join(folder.directory, "00000003.json"), '{"host":');
  const place = await folder.enter();
  expect(await place.claim("a.0")).toEqual({ isMine: true, others: [] });
  expect((await folder.look()).gone).toEqual(["00000000", "00000001", "00000002", "00000003"]);
  await folder.clear((await folder.look()).gone);
  expect((await readdir(folder.directory)).every((name) => name.startsWith(place.id))).toBe(true);
});

test("does not guess about another machine's processes: they are at work", async () => {
  const folder = await workFolder();
  await appear(folder, "00000000", elsewhere, "claim.a.0");
  const place = await folder.enter();
  const claim = await place.claim("a.0");
  expect(claim).toMatchObject({ isMine: false, others: [{ isHere: false }] });
  expect(claim.others[0]?.path).toBe(join(folder.directory, "00000000.json"));
  expect((await place.claim("a.1")).isMine).toBe(true);
});

test("one whose own file was removed stops instead of working beside the others", async () => {
  const folder = await workFolder();
  const place = await folder.enter();
  await folder.clear([place.id]);
  await expect(place.claim("a.0")).rejects.toThrow(InputError);
});

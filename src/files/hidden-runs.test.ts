import { access, mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { clearRuns, commandRun, makeHiddenFolder } from "./hidden-runs.js";
import { WorkFolder } from "./run-folder/run-work.js";

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test("a temporary run is gone with its process, however that ends", async () => {
  const workingDirectory = await temporaryDirectory();
  const before = process.listeners("exit");
  const ended = await commandRun({ name: undefined }, { workingDirectory });
  await ended.end();
  expect(await isThere(ended.place)).toBe(false);
  expect(process.listeners("exit")).toEqual(before);

  const killed = await commandRun({ name: undefined }, { workingDirectory });
  expect(await isThere(killed.place)).toBe(true);
  const [remove] = process.listeners("exit").filter((one) => !before.includes(one));
  remove?.(130);
  expect(await isThere(killed.place)).toBe(false);
  await killed.end();
});

test("a run that is at work, or begins while others are removed, stays, and so does what is no run", async () => {
  const workingDirectory = await temporaryDirectory();
  const folder = join(workingDirectory, ".touchstone");
  const run = async (place: string) => {
    await mkdir(join(place, "records"), { recursive: true });
    await writeFile(join(place, "records", "paid.jsonl"), "{}");
    return place;
  };
  await makeHiddenFolder(workingDirectory);
  const ended = await run(join(folder, "ended"));
  const atWork = await new WorkFolder(join(await run(join(folder, "at-work")), "work")).enter();
  expect(await atWork.hold()).toBeUndefined();
  const begun = await run(join(workingDirectory, "begun"));
  // So many files are looked at after the first run is gone.
  const job = join(folder, "jobs", ".new-a1b2c3");
  await mkdir(job, { recursive: true });
  for (let at = 0; at < 300; at++) await writeFile(join(job, `${at}.json`), "{}");

  expect(await clearRuns(workingDirectory, { removes: false })).toMatchObject({
    runs: ["ended"],
    atWork: 1,
    jobs: 1,
    bytes: 602,
  });
  const clearing = clearRuns(workingDirectory, { removes: true });
  while (await isThere(ended)) await new Promise((resolve) => setImmediate(resolve));
  await rename(begun, join(folder, "begun"));
  expect(await clearing).toMatchObject({ runs: ["ended"], atWork: 1, jobs: 1, bytes: 602 });
  expect((await readdir(folder)).sort()).toEqual([".gitignore", "at-work", "begun"]);
  expect(await readdir(join(folder, "at-work", "records"))).toEqual(["paid.jsonl"]);

  await atWork.leave();
  await writeFile(join(folder, "notes.txt"), "mine");
  const { runs } = await clearRuns(workingDirectory, { removes: true });
  expect([...runs].sort()).toEqual(["at-work", "begun"]);
  expect((await readdir(folder)).sort()).toEqual([".gitignore", "notes.txt"]);
});

test("the hidden folder goes with its last run, and only where it is asked to", async () => {
  const workingDirectory = await temporaryDirectory();
  const none = { runs: [], atWork: 0, jobs: 0, bytes: 0, lastWritten: 0 };
  expect(await clearRuns(workingDirectory, { removes: true })).toEqual(none);
  await makeHiddenFolder(workingDirectory);
  expect(await clearRuns(workingDirectory, { removes: false })).toEqual(none);
  expect(await readdir(workingDirectory)).toEqual([".touchstone"]);
  expect(await clearRuns(workingDirectory, { removes: true })).toEqual(none);
  expect(await readdir(workingDirectory)).toEqual([]);
});

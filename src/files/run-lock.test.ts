import { spawnSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { InputError } from "../core/errors.js";
import { lockRun } from "./run-lock.js";

const hold = (directory: string, holder: { host: string; process: number }) =>
  writeFile(join(directory, "run.lock"), JSON.stringify(holder));

test("lets in one at a time, and the next one after the release", async () => {
  const directory = await temporaryDirectory();
  const release = await lockRun(directory);
  const second = lockRun(directory);
  await expect(second).rejects.toThrow(InputError);
  await expect(second).rejects.toThrow(`process ${process.pid}`);
  await release();
  expect(await readdir(directory)).toEqual([]);
  await (await lockRun(directory))();
});

test("takes over from a process that was killed", async () => {
  const directory = await temporaryDirectory();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  await hold(directory, { host: hostname(), process: pid });
  const release = await lockRun(directory);
  await expect(lockRun(directory)).rejects.toThrow(`process ${process.pid}`);
  await release();
});

test("takes over a lock that was torn while it was written", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "run.lock"), '{"host":');
  await (await lockRun(directory))();
});

test("does not guess about another machine, and says which file to remove", async () => {
  const directory = await temporaryDirectory();
  await hold(directory, { host: "elsewhere", process: 1 });
  await expect(lockRun(directory)).rejects.toMatchObject({
    message: expect.stringContaining("process 1 of elsewhere"),
    hint: expect.stringContaining(join(directory, "run.lock")),
  });
});

import { access } from "node:fs/promises";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { commandRun } from "./hidden-runs.js";

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

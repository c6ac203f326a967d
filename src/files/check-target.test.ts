import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { checkTarget } from "./check-target.js";

test("a folder, or a way through a file, is refused, and nothing is made", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "folder.png"));
  await writeFile(join(directory, "file"), "");
  const checked = (path: string) => checkTarget(join(directory, path));
  await expect(checked("folder.png")).rejects.toThrow(/folder\.png: it is a folder$/);
  await expect(checked("file/a.png")).rejects.toThrow(/a part of its path is a file/);
  await expect(checked("file/new/a.png")).rejects.toThrow(/a part of its path is a file/);
  await checked("file");
  await checked("new.png");
  await checked("one/two/new.png");
  expect((await readdir(directory)).sort()).toEqual(["file", "folder.png"]);
});

import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { InputError } from "../../core/errors.js";
import { checkOut, checkTarget } from "./out-path.js";

let workingDirectory: string;

beforeAll(async () => {
  workingDirectory = await mkdtemp(join(tmpdir(), "out-path-"));
  await writeFile(join(workingDirectory, "keep.csv"), "id\n1\n");
  await writeFile(join(workingDirectory, "other.csv"), "id\n1\n");
  await symlink("keep.csv", join(workingDirectory, "link.csv"));
});
afterAll(() => rm(workingDirectory, { recursive: true }));

test.each(["keep.csv", "./keep.csv", "link.csv"])(
  "%s is refused where keep.csv is read",
  async (out) => {
    const inputs = [undefined, "-", "keep.csv"];
    const refused = checkOut(out, { inputs, workingDirectory });
    await expect(refused).rejects.toThrow(InputError);
    await expect(refused).rejects.toThrow(
      `Expected another file than the input for --out but received "${out}"`,
    );
  },
);

test.each(["other.csv", "new.csv", undefined])("%s is no input", async (out) => {
  await checkOut(out, { inputs: ["keep.csv", "gone.csv"], workingDirectory });
});

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

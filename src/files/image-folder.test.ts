import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { openImageFolder } from "./image-folder.js";

async function folderOf(...names: string[]): Promise<string> {
  const folder = await temporaryDirectory();
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), "");
  }
  return folder;
}

test("the table and the images, also in folders below, in one order", async () => {
  const folder = await folderOf(
    "b.PNG",
    "a/z.jpeg",
    "a.webp",
    "metadata.csv",
    "notes.txt",
    ".x.png",
  );
  const { table, ...opened } = await openImageFolder(folder);
  expect(table()).toMatchObject({ path: join(folder, "metadata.csv") });
  expect(opened).toEqual({
    metadata: join(folder, "metadata.csv"),
    images: ["a.webp", "a/z.jpeg", "b.PNG"],
  });
});

test.each([
  [[], /The folder .* is empty/],
  [["a.png"], /Expected metadata.jsonl or metadata.csv in .* but found only 1 image$/],
  [["notes.txt"], /neither, and no image/],
  [["metadata.csv", "metadata.jsonl"], /found both/],
] as const)("a folder with %j is refused", async (names, message) => {
  const folder = await folderOf(...names);
  await expect(openImageFolder(folder)).rejects.toMatchObject({
    code: "input",
    message: expect.stringMatching(message),
  });
});

test("a folder of images beside a table without them is told what pairs the two", async () => {
  const folder = await folderOf("0.png", "1.png", "prompts.csv");
  await expect(openImageFolder(folder)).rejects.toMatchObject({
    message: expect.stringMatching(/found only 2 images$/),
    hint: expect.stringMatching(/rows of prompts.csv .*--texts order/),
  });
});

test("no folder", async () => {
  const folder = await folderOf("a.png");
  await expect(openImageFolder(join(folder, "none"))).rejects.toMatchObject({ code: "input" });
  await expect(openImageFolder(join(folder, "a.png"))).rejects.toMatchObject({ code: "input" });
});

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../main.js";

/** A folder of images by name; what is undefined is no image. */
async function folderOf(images: Readonly<Record<string, string | undefined>>) {
  const directory = await temporaryDirectory();
  const rows = [];
  for (const [name, background] of Object.entries(images)) {
    const path = join(directory, "images", name);
    await mkdir(join(path, ".."), { recursive: true });
    const create = { width: 8, height: 8, channels: 3, background: background ?? "red" } as const;
    const bytes = await sharp({ create }).png().toBuffer();
    await writeFile(path, background === undefined ? bytes.subarray(0, 60) : bytes);
    rows.push(JSON.stringify({ file_name: name, text: `caption of ${name}` }));
  }
  await writeFile(join(directory, "images/metadata.jsonl"), rows.join("\n"));
  return {
    directory,
    async degrade(...words: readonly string[]) {
      const environment = fakeEnvironment({ workingDirectory: directory });
      const line = ["label", "degrade", "images", "--kinds", "noise,contrast", ...words];
      const code = await runCommandLine(line, environment);
      return { code, ...environment.written };
    },
    pairs: async () =>
      (await readFile(join(directory, "degraded/pairs.jsonl"), "utf8"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
  };
}

test("images that can't be read are listed before anything is written, or left out", async () => {
  const { degrade, directory, pairs } = await folderOf({
    "one.png": "blue",
    "two.png": undefined,
    "three.png": undefined,
  });
  const refused = await degrade();
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("2 of 3 images can't be read");
  expect(refused.stderr).toMatch(/images\/two\.png: the file[\s\S]*images\/three\.png: the file/);
  expect(await readdir(directory)).toEqual(["images"]);

  const rest = await degrade("--skip-bad", "--json");
  expect([rest.code, JSON.parse(rest.stdout)]).toMatchObject([0, { images: 1, copies: 2 }]);
  expect(JSON.parse(rest.stdout).leftOut).toHaveLength(2);
  expect(await pairs()).toHaveLength(2);
});

test("with --skip-bad a folder without any image that can be read is refused", async () => {
  const { degrade, directory } = await folderOf({ "one.png": undefined });
  expect(await degrade("--skip-bad")).toMatchObject({ code: 2 });
  expect(await readdir(directory)).toEqual(["images"]);
});

test("images of one name keep apart, and each pair is of an image and its own copy", async () => {
  const colours = {
    "a/b.png": "red",
    "a-b.png": "lime",
    "a-b.PNG": "blue",
    one: "aqua",
    two: "gold",
  };
  const { degrade, directory, pairs } = await folderOf(colours);
  expect((await degrade()).code).toBe(0);
  const rows = await pairs();
  expect(new Set(rows.flatMap(({ image_a, image_b }) => [image_a, image_b])).size).toBe(15);
  const middle = async (name: string) => {
    const image = sharp(join(directory, "degraded", name));
    return (await image.stats()).channels.slice(0, 3).map(({ mean }) => mean);
  };
  for (const { caption, image_a, image_b, preferred, degradation } of rows) {
    if (degradation !== "contrast") continue;
    const [image, copy] = preferred === "a" ? [image_a, image_b] : [image_b, image_a];
    const name = caption.replace("caption of ", "");
    const original = await sharp(join(directory, "images", name)).stats();
    const means = original.channels.slice(0, 3).map(({ mean }) => mean);
    expect(await middle(image)).toEqual(means);
    // Less contrast keeps the order of the channels.
    const altered = await middle(copy);
    const order = (values: readonly number[]) => values.map((one) => one > (values[0] ?? 0));
    expect(order(altered)).toEqual(order(means));
  }
});

import sharp from "sharp";
import { expect, test } from "vitest";
import { commandLines } from "../../../../test/support/command-lines.js";

const { put, read, remove, run } = commandLines();

const side = 96;

/** A picture with waves of its own; `patch` more grey in its first pixels. */
function picture(number: number, patch = 0): Uint8Array {
  return Uint8Array.from({ length: side * side * 3 }, (_, at) =>
    at < side * 12 && patch > 0 ? patch : 100 + ((at * (number + 3)) % 97),
  );
}

async function folder(
  name: string,
  patches: readonly number[],
  rowOf: (number: number) => object = (number) => ({ text: `thing ${number}`, seed: 7 }),
) {
  const rows = await Promise.all(
    patches.map(async (patch, number) => {
      const raw = { width: side, height: side, channels: 3 } as const;
      const png = sharp(picture(number, patch), { raw }).png();
      await put(`${name}/${number}.png`, await png.toBuffer());
      return JSON.stringify({ file_name: `${number}.png`, ...rowOf(number) });
    }),
  );
  await put(`${name}/metadata.jsonl`, rows.join("\n"));
}

test("two folders: which images changed, by how much, the most changed first", async () => {
  await folder("a", [0, 0, 0, 0]);
  await folder("b", [0, 20, 0, 90]);
  const { code, stdout } = await run(["compare", "a", "b", "--json"]);
  expect(code).toBe(0);
  const { images } = JSON.parse(stdout);
  expect(images).toMatchObject({
    pairs: 4,
    changed: { value: 0.5, n: 4 },
    psnr: { median: null, worst: expect.any(Number) },
    ssim: { worst: expect.any(Number) },
    most: [
      { a: "1.png", b: "1.png", ssim: images.ssim.worst, psnr: images.psnr.worst },
      { a: "3.png", b: "3.png" },
    ],
  });
  const page = await run(["compare", "a", "b", "--out", "changes.html"]);
  expect(page.code).toBe(0);
  expect((await read("changes.html")).match(/<img /g)).toHaveLength(4);
  expect(page.inOneLine).toContain("50.0 % of 4 images changed visibly");
});

test("images are paired by text and seed; what one side lacks is said", async () => {
  const seeded = (seeds: readonly number[]) => (number: number) => ({
    text: "a thing",
    seed: seeds[number],
  });
  await folder("a", [0, 0, 0], seeded([1, 2, 3]));
  await folder("b", [90, 90, 90], seeded([2, 9, 1]));
  const { images } = JSON.parse((await run(["compare", "a", "b", "--json"])).stdout);
  expect(images).toMatchObject({ pairs: 2, onlyA: 1, onlyB: 1 });
  const found = images.most.map(({ a, b }: { a: string; b: string }) => [a, b]);
  expect(new Set(found.map(String))).toEqual(new Set(["0.png,2.png", "1.png,0.png"]));
  await folder("c", [0, 0], seeded([1, 1]));
  const twice = await run(["compare", "a", "c"]);
  expect(twice).toMatchObject({ code: 2, stdout: "" });
  expect(twice.stderr).toContain("seed 1");
});

test("two runs, or a run and a folder, are paired by text and seed", async () => {
  const texts = ["A person is in a park with exactly four plants.", "A person is in a park."];
  await put("prompts.csv", ["text", ...texts].join("\n"));
  const painted = async (...words: string[]): Promise<string> => {
    const { stdout } = await run(["generate", "prompts.csv", "--samples", "5", ...words, "--json"]);
    return JSON.parse(stdout).run;
  };
  const [old, now] = [
    await painted("--out", "old"),
    await painted("--out", "now", "--defects", "demo"),
  ];
  const found = async (a: string, b: string) => {
    const { code, stdout, stderr } = await run(["compare", a, b, "--json"]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const { images, making } = await found(old, now);
  expect(images).toMatchObject({ pairs: 10, onlyA: 0, onlyB: 0, otherSize: 0 });
  expect(images.changed.value).toBeGreaterThan(0);
  expect(images.most).toHaveLength(Math.round(10 * images.changed.value));
  expect(making).toHaveLength(2);
  const { changed, ssim, psnr } = images;
  expect((await found(old, "now")).images).toMatchObject({ pairs: 10, changed, ssim, psnr });
  await painted("--out", "other", "--seed", "1");
  expect((await run(["compare", old, "other"])).stderr).toContain("are of other seeds");
});

test("tables of images have their scores beside them", async () => {
  await folder("a", [0, 0]);
  await folder("b", [0, 90]);
  const table = (name: string, values: readonly number[]) =>
    put(
      `${name}.csv`,
      [
        "image,text,seed,value",
        ...values.map((v, at) => `${name}/${at}.png,thing ${at},7,${v}`),
      ].join("\n"),
    );
  await table("a", [0.5, 0.6]);
  await table("b", [0.5, 0.4]);
  const words = ["--images", "a=a.csv", "--images", "b=b.csv", "--json"];
  const found = await run(["compare", ...words]);
  expect(found).toMatchObject({ code: 0, stderr: "" });
  const { images } = JSON.parse(found.stdout);
  expect(images.most).toMatchObject([{ a: "a/1.png", b: "b/1.png", scores: [0.6, 0.4] }]);
});

test("folders that say nothing of their images are paired by file name", async () => {
  await folder("a", [0, 0, 0]);
  await folder("b", [0, 90]);
  await remove("a/metadata.jsonl");
  const { images } = JSON.parse((await run(["compare", "a", "b", "--json"])).stdout);
  expect(images).toMatchObject({ pairs: 2, changed: { value: 0.5 }, onlyA: 1, onlyB: 0 });
});

test.each([
  [["a"]],
  [["a", "b", "c"]],
  [["a", "none"]],
  [["--images", "a", "--images", "./a"]],
  [["a", "b", "--images", "a"]],
  [["t.csv", "--model", "lab:dual-encoder-skewed"]],
  [["a", "b", "--model", "lab:vqa"]],
])("refuses %j", async (words) => {
  await folder("a", [0]);
  await folder("b", [0]);
  await put("t.csv", "model,prompt,score\nm,1,1\n");
  expect(await run(["compare", ...words])).toMatchObject({ code: 2, stdout: "" });
});

test("a table of scores asks no model, and needs no sound configuration", async () => {
  await put("touchstone.config.yaml", "modelz: 3\n");
  const rows = Array.from({ length: 12 }, (_, at) => `m,${at},${at % 3}\nw,${at},${at % 4}\n`);
  await put("t.csv", `model,prompt,score\n${rows.join("")}`);
  const ofTable = await run(["compare", "t.csv"]);
  expect(ofTable.code, ofTable.stderr).toBe(0);
  await folder("a", [0]);
  await folder("b", [0]);
  expect(await run(["compare", "a", "b"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("unknown member modelz"),
  });
});

import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { misbehavingServer } from "../../../../test/support/misbehaving-server.js";
import { colouredImage } from "../../../../test/support/scripted-openai.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { InputError } from "../../../core/errors.js";
import { holdFolder } from "../../../files/sole-process.js";
import { localize } from "../../../images/localize.js";
import { readMask } from "../../../images/mask-file.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { runCommandLine } from "../../main.js";
import { ItemList } from "../score/item-list.js";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../../test/fixtures/localization/${name}.webp`, import.meta.url));

async function run(words: readonly string[]) {
  const workingDirectory = await temporaryDirectory();
  await copyFile(fixture("input"), join(workingDirectory, "outfit.webp"));
  await copyFile(fixture("mask"), join(workingDirectory, "skirt.webp"));
  const blank = { width: 180, height: 300, channels: 3, background: "black" } as const;
  await sharp({ create: blank }).png().toFile(join(workingDirectory, "nothing.png"));
  await sharp({ create: { ...blank, width: 18 } })
    .png()
    .toFile(join(workingDirectory, "narrow.png"));
  const ones = Uint8Array.from({ length: 180 * 300 }, (_, at) => (at % 180 < 45 ? 1 : 0));
  await sharp(ones, { raw: { width: 180, height: 300, channels: 1 } })
    .png()
    .toFile(join(workingDirectory, "ones.png"));
  await mkdir(join(workingDirectory, "folder.png"));
  const before = await readdir(workingDirectory);
  const environment = fakeEnvironment({ workingDirectory });
  const code = await runCommandLine(["metrics", "localize", ...words], environment);
  const made = (await readdir(workingDirectory)).filter((name) => !before.includes(name));
  return {
    code,
    made,
    path: (name: string) => join(workingDirectory, name),
    ...environment.written,
  };
}

test("writes what the strategy shows, and the mask on the image", async () => {
  const words = ["outfit.webp", "--mask", "skirt.webp", "--out", "seen.png"];
  const { code, stdout, path, made } = await run([...words, "--overlay", "mask.png", "--json"]);
  expect({ code, made }).toEqual({ code: 0, made: ["mask.png", "seen.png"] });
  const whiteness = (await sharp(fixture("mask")).stats()).channels[0]?.mean ?? 0;
  expect(JSON.parse(stdout)).toEqual({
    image: "outfit.webp",
    mask: "skirt.webp",
    strategy: "blurring+cropping",
    // The mask is black and white alone.
    inside: expect.closeTo(whiteness / 255, 9),
    out: "seen.png",
    overlay: "mask.png",
    // As the reference has it.
    box: { x0: 25, y0: 62, x1: 135, y1: 208 },
    size: { width: 180, height: 300 },
  });
  const seen = await (await openPictureFile(path("seen.png"))).pixels();
  const image = await (await openPictureFile(fixture("input"))).pixels();
  const { mask } = await readMask(await openPictureFile(fixture("mask")), "the mask");
  const expected = localize(image, { mask, strategy: "blurring+cropping" });
  expect(Buffer.compare(seen.data, expected.data)).toBe(0);

  const overlay = await (await openPictureFile(path("mask.png"))).pixels();
  const pixel = ({ data }: { data: Uint8Array }, x: number, y: number) =>
    Array.from(data.subarray((y * 180 + x) * 3, (y * 180 + x) * 3 + 3));
  expect(pixel(overlay, 25, 62)).toEqual([255, 0, 160]);
  expect(pixel(overlay, 134, 207)).toEqual([255, 0, 160]);
  expect(pixel(overlay, 80, 135)).toEqual(pixel(image, 80, 135));
  expect(new Set(pixel(overlay, 5, 5)).size).toBe(1);
});

test("says in a line what was done", async () => {
  const words = ["outfit.webp", "--mask", "skirt.webp", "--strategy", "masking", "--out", "a.png"];
  const { stdout, stderr } = await run(words);
  expect(stdout).toBe(
    "masking: 12.9 % of outfit.webp is inside the mask, whose box with its margin is 110 x 146 " +
      "pixels at (25, 62)\n\n" +
      "Next: touchstone metrics localize outfit.webp --mask skirt.webp --strategy masking --out a.png --overlay overlay.png\n",
  );
  expect(stderr).toBe("Wrote a.png\n");
});

test("a note says where a mask was not read as light on dark", async () => {
  const { stdout, stderr } = await run([
    ...["outfit.webp", "--mask", "ones.png", "--strategy", "masking", "--out", "a.png"],
  ]);
  expect(stdout).toMatch(/^masking: 25.0 % of outfit.webp is inside the mask/);
  expect(stderr.replace(/\s+/g, " ")).toContain(
    "ones.png holds 0 and 1 of 255 alone, so inside is what is 1",
  );
});

test.each([
  [
    "--mask nothing.png --out a.png",
    "Expected a mask with something inside but received nothing.png",
  ],
  [
    "--mask narrow.png --out a.png",
    "Expected a mask of the size of outfit.webp, 180 x 300 pixels, but received narrow.png, 18 x 300",
  ],
  ["--mask absent.png --out a.png", "Can't read absent.png: there is no such file"],
  ["--out a.png", "Expected --mask, or --entity and --model, but received none of them"],
  ["--mask skirt.webp --out a.png --max-calls 1", "Expected many images for --plan, --max-calls,"],
  ["--mask skirt.webp --out a.png --plan", "Expected many images for --plan, --max-calls,"],
  [
    "--mask skirt.webp --entity skirt --out a.png",
    "Expected --mask, or --entity and --model, but received --mask and --entity",
  ],
  ["--entity skirt --out a.png", "but received --entity"],
  [
    "--entity skirt --model lab:dual-encoder-skewed --out a.png",
    "Expected a model that finds entities in images for --model but received lab:dual-encoder-skewed@",
  ],
  [
    "--mask skirt.webp --out a.jpg",
    'Expected a file that ends in .png for --out but received "a.jpg"',
  ],
  [
    "--mask nothing.png --out a.png --overlay nothing.png",
    'Expected another file than the input for --overlay but received "nothing.png"',
  ],
  ["--mask skirt.webp --out a.png --overlay folder.png", "folder.png: it is a folder"],
  ["--mask skirt.webp --out a.png --overlay ones.png/b.png", "a part of its path is a file"],
  ["--mask skirt.webp --out a.png --overlay ./a.png", "Expected two files for --out and --overlay"],
  ["--mask skirt.webp --strategy blur --out a.png", "Expected one of none, masking, blurring,"],
])("%s: nothing is written", async (words, message) => {
  const { code, made, stderr } = await run(["outfit.webp", ...words.split(" ")]);
  expect({ code, made }).toEqual({ code: 2, made: [] });
  expect(stderr.replace(/\s+/g, " ")).toContain(message);
});

test("many images at once become masks that a metric reads; what has no answer is asked again", async () => {
  const workingDirectory = await temporaryDirectory();
  const write = (name: string, rows: readonly object[]) =>
    writeFile(join(workingDirectory, name), rows.map((row) => JSON.stringify(row)).join("\n"));
  for (const [name, background] of Object.entries({ one: "red", two: "blue" })) {
    await sharp({ create: { width: 20, height: 10, channels: 3, background } })
      .png()
      .toFile(join(workingDirectory, `${name}.png`));
  }
  const box = { bbox: [0, 0, 10, 10] };
  const given = [
    { image: "one.png", masks: { skirt: box, hat: null } },
    { image: "two.png", masks: { skirt: box } },
  ];
  await write("given.jsonl", given);
  await write("texts.jsonl", [
    { image: "one.png", text: "a red skirt and a blue hat" },
    { image: "two.png", text: "a red skirt and a blue hat" },
  ]);
  const localizeAll = async (...words: readonly string[]) => {
    return touchstoneHere(["metrics", "localize", "texts.jsonl", "--out", "masks", ...words], {
      workingDirectory,
    });
  };
  const model = ["--model", "masks:given.jsonl"];
  expect(await localizeAll(...model)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining("2 masks found, 1 nowhere, 1 without an answer; in masks"),
    stderr: expect.stringMatching(/is\s+given\s+for\s+two.png/),
  });
  const rows = (await readFile(join(workingDirectory, "masks/masks.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(
    rows.map(({ image, entity, inside, mask }) => [image, entity, inside, mask === null]),
  ).toEqual([
    ["../one.png", "skirt", 0.5, false],
    ["../one.png", "hat", undefined, true],
    ["../two.png", "skirt", 0.5, false],
  ]);
  expect(await readdir(join(workingDirectory, "masks/seen"))).toHaveLength(2);
  expect(await localizeAll("--model", "masks:masks", "--entity", "skirt")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("2 masks found"),
  });
  expect(await localizeAll("--mask", "one.png")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Expected --model, without --mask"),
  });
});

test("--skip-bad lists a row that names no entity and goes on with the others", async () => {
  const workingDirectory = await temporaryDirectory();
  await copyFile(fixture("input"), join(workingDirectory, "outfit.webp"));
  await copyFile(fixture("input"), join(workingDirectory, "other.webp"));
  const given = { image: "outfit.webp", masks: { skirt: { bbox: [0, 0, 10, 10] } } };
  await writeFile(join(workingDirectory, "given.jsonl"), JSON.stringify(given));
  const rows = [
    { image: "other.webp" },
    { image: "outfit.webp", entities: [{ entity: "skirt", attributes: [] }] },
  ];
  const lines = rows.map((row) => JSON.stringify(row)).join("\n");
  await writeFile(join(workingDirectory, "items.jsonl"), lines);
  const line = "metrics localize items.jsonl --model masks:given.jsonl --out masks --json";
  const localizeAll = (...words: string[]) =>
    touchstoneHere([...line.split(" "), ...words], { workingDirectory });
  expect(await localizeAll()).toMatchObject({ code: 2 });
  const { code, stdout } = await localizeAll("--skip-bad");
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    found: 1,
    left: 0,
    problems: [expect.stringMatching(/^other.webp, no entity: Expected an entity to find/)],
  });
});

test("what is seen of masks that another machine found is drawn when the run is concluded", async () => {
  const workingDirectory = await temporaryDirectory();
  await copyFile(fixture("input"), join(workingDirectory, "outfit.webp"));
  const given = { image: "outfit.webp", masks: { skirt: { bbox: [0, 0, 10, 10] } } };
  await writeFile(join(workingDirectory, "given.jsonl"), JSON.stringify(given));
  await writeFile(join(workingDirectory, "items.jsonl"), JSON.stringify({ image: "outfit.webp" }));
  const touchstone = (line: string) => touchstoneHere(line.split(" "), { workingDirectory });
  const line = "metrics localize items.jsonl --entity skirt --model masks:given.jsonl --out masks";
  await touchstone(`${line} --plan`);
  const [run] = (await readdir(join(workingDirectory, ".touchstone"))).filter((name) =>
    name.startsWith("localize-"),
  );
  const planned = () => touchstone(`run plan .touchstone/${run} --exchange shared --json`);
  const { parts } = JSON.parse((await planned()).stdout);
  expect(await touchstone(`run perform ${parts.join(" ")}`)).toMatchObject({ code: 0 });
  const seen = join(workingDirectory, "masks/seen/outfit-skirt.png");
  const shown = await readFile(seen);
  await rm(seen);
  await touchstone(`run finish .touchstone/${run} --exchange shared`);
  expect(await touchstone(`run resume .touchstone/${run}`)).toMatchObject({ code: 0 });
  expect(await readFile(seen)).toEqual(shown);
  const again = await touchstone(`${line} --plan --json`);
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { run: null, steps: [] }]);
});

test("what is seen of images of one name keeps apart, and what can't be read is listed", async () => {
  const workingDirectory = await temporaryDirectory();
  const names = ["one/a.png", "two/a.png", "three/a.png"];
  for (const [at, name] of names.entries()) {
    await mkdir(join(workingDirectory, dirname(name)));
    const create = { width: 20, height: 10, channels: 3, background: { r: 99 * at, g: 0, b: 0 } };
    const bytes = await sharp({ create: { ...create, channels: 3 } })
      .png()
      .toBuffer();
    await writeFile(join(workingDirectory, name), at === 2 ? bytes.subarray(0, 50) : bytes);
  }
  const masks = { skirt: { bbox: [0, 0, 10, 10] } };
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
  await writeFile(join(workingDirectory, "texts.jsonl"), lines(names.map((image) => ({ image }))));
  await writeFile(
    join(workingDirectory, "given.jsonl"),
    lines(names.slice(0, 2).map((image) => ({ image, masks }))),
  );
  const environment = fakeEnvironment({ workingDirectory });
  const line = "metrics localize texts.jsonl --entity skirt --model masks:given.jsonl --out masks";
  expect(await runCommandLine(line.split(" "), environment)).toBe(3);
  expect(environment.written.stderr.replace(/\s+/g, " ")).toContain(
    "received none for 1 - three/a.png, skirt: Can't read three/a.png: the file is cut short or corrupt",
  );
  expect((await readdir(join(workingDirectory, "masks/seen"))).sort()).toEqual([
    "a-skirt-2.png",
    "a-skirt.png",
  ]);
});

test.each(["the same command", "run resume"])(
  "many images that ended in the middle are gone on with by %s, and none is asked again",
  async (how) => {
    const asked: string[] = [];
    let mostAsked = 3;
    const server = await misbehavingServer({
      behave: ({ body }) => {
        if (asked.length === mostAsked) return { kind: "raw", status: 401, text: "{}" };
        asked.push(`${String(body.image).length} ${body.entity}`);
        return { kind: "reply", json: { boxes: [[1, 1, 4, 4]] } };
      },
    });
    const folder = async () => {
      const workingDirectory = await temporaryDirectory();
      for (const side of [8, 16, 24]) {
        const image = colouredImage("scene", 0, side);
        await writeFile(join(workingDirectory, `${side}.png`), image);
      }
      await writeFile(
        join(workingDirectory, "images.jsonl"),
        [8, 16, 24].map((side) => JSON.stringify({ image: `${side}.png` })).join("\n"),
      );
      return workingDirectory;
    };
    const model = `segment-http:${server.baseUrl}`;
    const line = `localize images.jsonl --entity hat --entity skirt --model ${model} --out masks`;
    const [stopped, whole, limited] = [await folder(), await folder(), await folder()];
    const localizing = (workingDirectory: string, words = line) =>
      touchstoneHere(words.split(" "), { workingDirectory });
    const atLimit = await localizing(limited, `${line} --max-calls 1`);
    expect(atLimit).toMatchObject({ code: 3 });
    const said = atLimit.stderr.replaceAll(/\s+/g, " ");
    expect(said).toContain(`Go on with: touchstone metrics ${line}`);
    expect(said).not.toContain("--max-calls");
    asked.length = 0;
    expect((await localizing(stopped)).code).not.toBe(0);
    expect(asked).toHaveLength(3);

    mostAsked = Number.POSITIVE_INFINITY;
    const runs = await readdir(join(stopped, ".touchstone"));
    const run = runs.find((name) => name.startsWith("localize-"));
    const again = how === "run resume" ? `run resume .touchstone/${run}` : line;
    expect(await localizing(stopped, again)).toMatchObject({ code: 0 });
    expect(new Set(asked).size).toBe(6);
    expect(asked).toHaveLength(6);
    expect(await localizing(whole)).toMatchObject({ code: 0 });
    for (const name of ["masks.jsonl", "seen/8-hat.png", "seen/24-skirt.png"]) {
      const [one, other] = [stopped, whole].map((place) =>
        readFile(join(place, "masks", name), "hex"),
      );
      expect(await one).toBe(await other);
    }
  },
);

test("records of other images, models and hands stay, and nothing is asked twice", async () => {
  const asked: string[] = [];
  const server = await misbehavingServer({
    behave: ({ body }) => {
      asked.push(String(body.image));
      return { kind: "reply", json: { boxes: [[1, 1, 4, 4]] } };
    },
  });
  const workingDirectory = await temporaryDirectory();
  const path = (name: string) => join(workingDirectory, name);
  for (const side of [8, 16, 24]) {
    await writeFile(path(`${side}.png`), colouredImage("scene", 0, side));
  }
  const box = { bbox: [0, 0, 2, 2] };
  const given = [8, 16].map((side) => ({ image: `${side}.png`, masks: { hat: box } }));
  await writeFile(path("given.jsonl"), given.map((row) => JSON.stringify(row)).join("\n"));
  const model = `segment-http:${server.baseUrl}`;
  const localizing = async (sides: readonly number[], chosen = model) => {
    const rows = sides.map((side) => JSON.stringify({ image: `${side}.png` }));
    await writeFile(path("images.jsonl"), rows.join("\n"));
    const words = ["localize", "images.jsonl", "--entity", "hat", "--model", chosen];
    return touchstoneHere([...words, "--out", "masks"], { workingDirectory });
  };
  const rowsOf = async (name: string) =>
    (await readFile(path(`masks/${name}.jsonl`), "utf8").catch(() => ""))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  const imagesOf = async (name: string) =>
    (await rowsOf(name)).map(({ image, model }) => `${image} ${model?.split(":")[0]}`);
  const [small, middle, large] = [8, 16, 24].map((side) => `../${side}.png segment-http`);

  await localizing([8, 16]);
  // Fewer, others, and all of them.
  await localizing([24]);
  expect(await imagesOf("masks")).toEqual([small, middle, large]);
  expect(await localizing([24, 16, 8])).toMatchObject({ code: 0 });
  expect(asked).toHaveLength(3);
  expect(await imagesOf("masks")).toEqual([large, middle, small]);

  // Another model, and the first again; a metric is given one model's masks.
  const byOther = await localizing([8, 16], "masks:given.jsonl");
  expect(byOther.stderr).toContain("3 rows of other models");
  expect(await imagesOf("masks")).toEqual(["../8.png masks", "../16.png masks"]);
  expect(await imagesOf("earlier")).toEqual([large, middle, small]);
  const byHand = { image: "../8.png", masks: { shoe: box } };
  await writeFile(path("masks/masks.jsonl"), `${JSON.stringify(byHand)}\n`, { flag: "a" });
  await localizing([8]);
  expect(asked).toHaveLength(3);
  const added = "../8.png undefined";
  expect(await imagesOf("masks")).toEqual([large, middle, small, added]);
  expect((await rowsOf("masks")).at(-1)).toEqual(byHand);
  expect(await imagesOf("earlier")).toEqual(
    expect.arrayContaining(["../8.png masks", "../16.png masks"]),
  );
  expect((await readdir(path("masks/seen"))).sort()).toEqual(
    ["16-hat-2", "16-hat", "24-hat", "8-hat-2", "8-hat"].map((name) => `${name}.png`).sort(),
  );

  // An image that is gone would have the table refused; its mask is there when it is back.
  const bytes = await readFile(path("24.png"));
  await rm(path("24.png"));
  await localizing([8]);
  expect(await imagesOf("masks")).toEqual([middle, small, added]);
  await writeFile(path("24.png"), bytes);
  await localizing([24, 16, 8]);
  expect(asked).toHaveLength(3);
  expect(await imagesOf("masks")).toEqual([large, middle, small, added]);
  expect(await imagesOf("earlier")).not.toContain(large);
});

test("rows without a model are by hand however they say so, and a line cut short is no row", async () => {
  const server = await misbehavingServer({
    behave: () => ({ kind: "reply", json: { boxes: [[1, 1, 4, 4]] } }),
  });
  const workingDirectory = await temporaryDirectory();
  const path = (name: string) => join(workingDirectory, name);
  await writeFile(path("8.png"), colouredImage("scene", 0, 8));
  await writeFile(path("images.jsonl"), JSON.stringify({ image: "8.png" }));
  const model = `segment-http:${server.baseUrl}`;
  const localizing = async () => {
    const line = `localize images.jsonl --entity hat --model ${model} --out masks`;
    const { code, stderr } = await touchstoneHere(line.split(" "), { workingDirectory });
    expect(code).toBe(0);
    return stderr.replaceAll(/\s+/g, " ");
  };
  const linesOf = async (name: string) =>
    (await readFile(path(`masks/${name}.jsonl`), "utf8").catch(() => "")).split("\n").slice(0, -1);
  const row = (entity: string, more: object) =>
    JSON.stringify({ image: "../8.png", entity, mask: null, ...more });
  const ofPandas = [row("shoe", { model: null }), row("bag", { model: "" }), row("sock", {})];

  await localizing();
  const [own = ""] = await linesOf("masks");
  const cut = own.slice(0, 40);
  await writeFile(path("masks/masks.jsonl"), [...ofPandas, own, cut].join("\n"));
  for (let again = 0; again < 2; again++) {
    const told = await localizing();
    expect(told).toContain("1 line cut short, or otherwise no row: masks/earlier.jsonl.");
    expect(told).not.toContain("of other models");
    expect(await linesOf("masks")).toEqual([own, ...ofPandas]);
    expect(await linesOf("earlier")).toEqual([cut]);
  }

  // Where an earlier version put them; one whose image is gone would have the table refused.
  const gone = JSON.stringify({ image: "../gone.png", entity: "hat", mask: null });
  await writeFile(path("masks/earlier.jsonl"), [row("ring", { model: null }), gone].join("\n"));
  expect(await localizing()).toContain("1 row of other models or of images that are gone");
  expect(await linesOf("masks")).toEqual([own, row("ring", { model: null }), ...ofPandas]);
  expect(await linesOf("earlier")).toEqual([gone]);
});

test("of two commands that write one folder the second is told who does, and works after the first", async () => {
  const workingDirectory = await temporaryDirectory();
  const path = (name: string) => join(workingDirectory, name);
  await writeFile(path("8.png"), colouredImage("scene", 0, 8));
  await writeFile(path("images.jsonl"), JSON.stringify({ image: "8.png" }));
  const localizing = (model: string, entity: string) => {
    const line = `localize images.jsonl --entity ${entity} --model ${model} --out masks`;
    return touchstoneHere(line.split(" "), { workingDirectory });
  };
  const given = { image: "8.png", masks: { shoe: { bbox: [0, 0, 2, 2] } } };
  await writeFile(path("given.jsonl"), JSON.stringify(given));
  // As the first does until it ends.
  const held = await holdFolder(path("masks/writing"), () => new InputError("Expected none"));
  const second = await localizing("masks:given.jsonl", "shoe");
  expect(second).toMatchObject({ code: 2, stdout: "" });
  expect(second.stderr.replaceAll(/\s+/g, " ")).toMatch(
    /Expected to write masks alone but process \d+ of \S+ writes masks there Wait for it, or name another folder by --out\./,
  );
  expect(await readdir(path("masks"))).toEqual(["writing"]);
  await held.leave();
  expect(await localizing("masks:given.jsonl", "shoe")).toMatchObject({ code: 0 });
  expect((await readdir(path("masks"))).sort()).toEqual(["masks.jsonl", "seen"]);
});

test("a stop while images are opened removes the list of images", async () => {
  const workingDirectory = await temporaryDirectory();
  await writeFile(join(workingDirectory, "one.png"), colouredImage("scene", 0, 8));
  await writeFile(join(workingDirectory, "images.jsonl"), JSON.stringify({ image: "one.png" }));
  const server = await misbehavingServer({
    behave: () => ({ kind: "raw", status: 500, text: "" }),
  });
  const environment = fakeEnvironment({ workingDirectory });
  const look = vi.spyOn(ItemList.prototype, "look");
  look.mockImplementation(async (_, { onLooked }) => {
    environment.interrupt();
    onLooked(1, 1);
  });
  const remove = vi.spyOn(ItemList.prototype, "remove");
  try {
    const words = `localize images.jsonl --entity hat --model segment-http:${server.baseUrl} --out masks`;
    expect(await runCommandLine(words.split(" "), environment)).toBe(130);
    expect(look).toHaveBeenCalledTimes(1);
    expect(remove).toHaveBeenCalledTimes(1);
  } finally {
    look.mockRestore();
    remove.mockRestore();
  }
});

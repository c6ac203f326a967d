import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { encodePng } from "../../images/pixels-picture.js";
import { openImageFolder, splitsOf } from "../image-folder.js";
import { readTable } from "../read-table.js";
import { promptInImage } from "./image-prompt.js";

const png = Buffer.from(encodePng({ width: 2, height: 2, data: new Uint8Array(12) }));

/** A PNG with chunks before its pixels. Nobody looks at their checksums. */
function withChunks(chunks: readonly (readonly [type: string, content: Buffer])[]): Buffer {
  const made = chunks.map(([type, content]) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, Buffer.from(type, "latin1"), content, Buffer.alloc(4)]);
  });
  return Buffer.concat([png.subarray(0, 33), ...made, png.subarray(33)]);
}
const textChunk = (name: string, text: string) =>
  ["tEXt", Buffer.concat([Buffer.from(`${name}\0`), Buffer.from(text)])] as const;

async function folderOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

type Request = NonNullable<Parameters<typeof openImageFolder>[1]>;

async function textsIn(files: Readonly<Record<string, string | Buffer>>, request: Request = {}) {
  const { table } = await openImageFolder(await folderOf(files), request);
  const texts: Record<string, unknown> = {};
  for await (const { all } of readTable({ source: table(), columns: {} })) {
    texts[String(all.file_name)] = all.text;
  }
  return texts;
}
const refusal = (files: Readonly<Record<string, string | Buffer>>, request: Request = {}) =>
  textsIn(files, request).then(
    () => undefined,
    (error: unknown) => error,
  );

const parameters =
  "a red cup, 50mm\non a table\nNegative prompt: blurry\nSteps: 20, Sampler: Euler a";

describe("texts that no table names", () => {
  test("one for all samples of a folder, as GenEval has them; grids are no samples", async () => {
    const files = {
      "00000/metadata.jsonl": '{"tag": "counting", "prompt": "two cats"}\n',
      "00000/grid.png": png,
      "00000/samples/0000.png": png,
      "00000/samples/0001.png": png,
      "00001/metadata.jsonl": '{"tag": "colors", "prompt": "a blue cat"}',
      "00001/samples/0000.png": png,
    };
    const folder = await folderOf(files);
    expect(await splitsOf(folder)).toEqual([]);
    const { table, note } = await openImageFolder(folder, {});
    expect(note).toContain("1 further image, such as 00000/grid.png");
    const rows: unknown[] = [];
    for await (const { all } of readTable({ source: table(), columns: {} })) rows.push({ ...all });
    expect(rows).toEqual([
      { tag: "counting", file_name: "00000/samples/0000.png", text: "two cats" },
      { tag: "counting", file_name: "00000/samples/0001.png", text: "two cats" },
      { tag: "colors", file_name: "00001/samples/0000.png", text: "a blue cat" },
    ]);
  });

  test("prompt.txt of a folder", async () => {
    expect(await textsIn({ "x/prompt.txt": "a cat\n", "x/1.png": png, "x/2.png": png })).toEqual({
      "x/1.png": "a cat",
      "x/2.png": "a cat",
    });
  });

  test.each([
    ["0.txt", "\uFEFFa cat\r\n"],
    ["0.caption", "a cat"],
    ["0.png.txt", "a cat"],
    ["0.json", '{"url": "u", "caption": "a cat"}'],
    ["0.txt", "a cat\nNegative prompt: dog\nSteps: 20, Sampler: Euler"],
  ])("beside each image, in %s", async (name, content) => {
    const files = { "00000/0.png": png, [`00000/${name}`]: content };
    expect(await textsIn(files)).toEqual({ "00000/0.png": "a cat" });
  });

  test("an image without its text is named, unless it may be skipped", async () => {
    const files = { "0.png": png, "0.txt": "a cat", "1.png": png };
    expect(await refusal(files)).toMatchObject({
      message: expect.stringMatching(/1 of 2 have none: 1\.png$/),
      hint: expect.stringContaining("--texts beside --skip-bad"),
    });
    const skipped = await textsIn(files, { place: "beside", skipMissing: true });
    expect(skipped).toEqual({ "0.png": "a cat", "1.png": "" });
  });

  test("in names that are sentences, as T2I-CompBench has them", async () => {
    const files = {
      "a red apple and a green cup_000001.png": png,
      "a red apple and a green cup_000002.png": png,
    };
    expect(new Set(Object.values(await textsIn(files)))).toEqual(
      new Set(["a red apple and a green cup"]),
    );
    expect(await textsIn({ "a_red_cup-3.png": png }, { place: "names" })).toEqual({
      "a_red_cup-3.png": "a red cup",
    });
    expect(await refusal({ "IMG of 2023 11.png": png })).toMatchObject({ code: "input" });
  });

  test("rows go with numbered images only where that is asked for", async () => {
    const files = {
      "prompts.csv": "Prompts,Category\na cat,x\na dog,y\n",
      "images/00000.png": png,
      "images/00001.png": png,
    };
    expect(await refusal(files)).toMatchObject({ code: "input" });
    expect(await textsIn(files, { place: "order" })).toEqual({
      "images/00000.png": "a cat",
      "images/00001.png": "a dog",
    });
    const more = { ...files, "images/00003.png": png };
    expect(await refusal(more, { place: "order" })).toMatchObject({
      message: expect.stringContaining("each of the 2 rows"),
    });
    const named = { "p.csv": "words,prompt\na cat,\n", "1.png": png };
    expect(await textsIn(named, { place: "order", textColumn: "words" })).toEqual({
      "1.png": "a cat",
    });
  });

  test("two places that say the same are one, and two that differ are named", async () => {
    const image = withChunks([textChunk("parameters", parameters)]);
    const same = { "0.png": image, "0.txt": parameters };
    expect(await textsIn(same)).toEqual({ "0.png": "a red cup, 50mm\non a table" });
    expect(await refusal({ "0.png": image, "0.txt": "a dog" })).toMatchObject({
      hint: "Say which: --texts beside or --texts png",
    });
  });
});

const graph = (positive: unknown, more: object = {}) =>
  JSON.stringify({
    3: { class_type: "KSampler", inputs: { positive, negative: ["7", 0], steps: 20 } },
    6: { class_type: "CLIPTextEncode", inputs: { text: "a cat", clip: ["4", 0] } },
    7: { class_type: "CLIPTextEncode", inputs: { text: "blurry", clip: ["4", 0] } },
    ...more,
  });

describe("prompts that generators write into PNGs", () => {
  const compressed = Buffer.concat([Buffer.from("parameters\0\0"), deflateSync("a cat\nSteps: 4")]);
  const international = Buffer.from("parameters\0\0\0\0\0une tasse « rouge »\nSteps: 20", "utf8");
  test.each<[string, readonly (readonly [string, Buffer])[], string | undefined]>([
    ["A1111", [textChunk("parameters", parameters)], "a red cup, 50mm\non a table"],
    ["compressed", [["zTXt", compressed]], "a cat"],
    ["international", [["iTXt", international]], "une tasse « rouge »"],
    ["Fooocus", [textChunk("parameters", '{"prompt": "a cat", "seed": 1}')], "a cat"],
    ["InvokeAI", [textChunk("invokeai_metadata", '{"positive_prompt": "a cat"}')], "a cat"],
    ["NovelAI", [textChunk("Software", "NovelAI"), textChunk("Description", "a cat")], "a cat"],
    ["ComfyUI", [textChunk("prompt", graph(["6", 0]))], "a cat"],
    [
      "ComfyUI, by a node between",
      [
        textChunk(
          "prompt",
          graph(["8", 0], {
            8: { class_type: "FluxGuidance", inputs: { conditioning: ["6", 0] } },
          }),
        ),
      ],
      "a cat",
    ],
    [
      "ComfyUI, two prompts",
      [
        textChunk(
          "prompt",
          graph(["6", 0], { 9: { class_type: "KSampler", inputs: { positive: ["7", 0] } } }),
        ),
      ],
      undefined,
    ],
    ["ComfyUI, a circle", [textChunk("prompt", graph(["3", 0]))], undefined],
    ["another program's comment", [textChunk("Comment", "made with love")], undefined],
    ["words without settings", [textChunk("parameters", "made with love")], undefined],
    ["none", [], undefined],
  ])("%s", async (_, chunks, expected) => {
    const folder = await folderOf({ "0.png": withChunks(chunks) });
    expect(await promptInImage(join(folder, "0.png"))).toBe(expected);
  });

  test("a damaged file has none", async () => {
    const folder = await folderOf({ "a.png": png.subarray(0, 20), "b.png": "nothing" });
    expect(await promptInImage(join(folder, "a.png"))).toBeUndefined();
    expect(await promptInImage(join(folder, "b.png"))).toBeUndefined();
  });
});

/** Exif with a text in a directory of TIFF, and a comment in that of Exif. */
function exifOf({ isBig, comment, text }: { isBig: boolean; comment?: Buffer; text?: string }) {
  const short = (value: number) => {
    const bytes = Buffer.alloc(2);
    return isBig
      ? bytes.fill(0, bytes.writeUInt16BE(value))
      : bytes.fill(0, bytes.writeUInt16LE(value));
  };
  const long = (value: number) => {
    const bytes = Buffer.alloc(4);
    return isBig
      ? bytes.fill(0, bytes.writeUInt32BE(value))
      : bytes.fill(0, bytes.writeUInt32LE(value));
  };
  const entry = (tag: number, type: number, count: number, value: number) =>
    Buffer.concat([short(tag), short(type), long(count), long(value)]);
  const words = Buffer.from(`${text ?? ""}\0`);
  const said = comment ?? Buffer.alloc(0);
  const [second, third] = [8 + 2 + 24 + 4, 8 + 2 + 24 + 4 + 2 + 12 + 4];
  return Buffer.concat([
    Buffer.from(isBig ? "MM" : "II"),
    short(42),
    long(8),
    short(2),
    entry(0x0110, 2, words.length, third),
    entry(0x8769, 4, 1, second),
    long(0),
    short(1),
    entry(0x9286, 7, said.length, third + words.length),
    long(0),
    words,
    said,
  ]);
}

const jpegOf = (exif: Buffer) => {
  const segment = (kind: number, content: Buffer) => {
    const head = Buffer.from([0xff, kind, 0, 0]);
    head.writeUInt16BE(content.length + 2, 2);
    return Buffer.concat([head, content]);
  };
  const app = Buffer.concat([Buffer.from("Exif\0\0"), exif]);
  const first = segment(0xe0, Buffer.from("JFIF\0"));
  return Buffer.concat([Buffer.from([0xff, 0xd8]), first, segment(0xe1, app), segment(0xda, app)]);
};

const webpOf = (exif: Buffer) => {
  const chunk = (type: string, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return Buffer.concat([Buffer.from(type), length, content, Buffer.alloc(content.length % 2)]);
  };
  const chunks = Buffer.concat([chunk("VP8X", Buffer.alloc(7)), chunk("EXIF", exif)]);
  return Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), chunks]);
};

describe("prompts that generators write into the Exif of JPEG and WebP", () => {
  const big = (text: string) => Buffer.from(text, "utf16le").swap16();
  const unicode = (text: Buffer) => Buffer.concat([Buffer.from("UNICODE\0"), text]);
  const french = "une tasse « rouge »\nSteps: 20, Sampler: Euler a";
  const comments: Readonly<Record<string, Buffer>> = {
    "UTF-16, the high byte first": unicode(big(french)),
    "UTF-16, the low byte first": unicode(Buffer.from(french, "utf16le")),
    "UTF-8 by the name of Unicode": unicode(Buffer.from(french)),
    "UTF-8 by the name of ASCII": Buffer.concat([Buffer.from("ASCII\0\0\0"), Buffer.from(french)]),
    "of no kind": Buffer.from(french),
    "JSON of Fooocus": Buffer.from('{"prompt": "une tasse « rouge »"}\0'),
  };
  for (const [name, comment] of Object.entries(comments)) {
    test.each([true, false])(
      `a comment as ${name} (high byte first in the file: %s)`,
      async (isBig) => {
        const exif = exifOf({ isBig, comment });
        const files = { "0.jpg": jpegOf(exif), "1.webp": webpOf(exif) };
        const text = "une tasse « rouge »";
        expect(await textsIn(files)).toEqual({ "0.jpg": text, "1.webp": text });
      },
    );
  }

  test("a graph of ComfyUI", async () => {
    const exif = exifOf({ isBig: true, text: `prompt:${graph(["6", 0])}` });
    expect(await textsIn({ "0.webp": webpOf(exif) })).toEqual({ "0.webp": "a cat" });
  });

  test("a photograph has none, and no file that is cut", async () => {
    const comment = Buffer.concat([Buffer.from("ASCII\0\0\0"), Buffer.from("made with love")]);
    const plain = exifOf({ isBig: false, comment, text: "A camera" });
    const told = jpegOf(exifOf({ isBig: false, comment: unicode(big(french)) }));
    const folder = await folderOf({ "a.jpg": jpegOf(plain), "b.jpg": told });
    expect(await promptInImage(join(folder, "a.jpg"))).toBeUndefined();
    for (let length = 0; length < 180; length++) {
      await writeFile(join(folder, "b.jpg"), told.subarray(0, length));
      expect(await promptInImage(join(folder, "b.jpg"))).toBeUndefined();
    }
  });
});

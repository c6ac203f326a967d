import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPicture } from "../src/images/picture.js";
import { pythonBridge } from "../src/models/python-bridge/python-bridge.js";
import { segmentHttp } from "../src/models/segment-http/segment-http.js";
import { oddImages } from "./support/odd-images.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstone } from "./support/touchstone.js";

/** The Python of this machine, where it has one that is new enough. */
const python = ["python3", "/usr/bin/python3"].find(
  (name) => spawnSync(name, ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0,
);
const bridge = fileURLToPath(new URL("../bridge", import.meta.url));
const program = fileURLToPath(new URL("./support/bridged-program.mjs", import.meta.url));

const picture = async () =>
  openPicture(
    await sharp({ create: { width: 2, height: 1, channels: 3, background: "#010203" } })
      .png()
      .toBuffer(),
  );

/** A Python that has Pillow, too. */
const pillow = [process.env.TOUCHSTONE_PYTHON, python].find(
  (name) => name && spawnSync(name, ["-c", "import PIL"]).status === 0,
);

describe.skipIf(pillow === undefined)(
  "with Pillow (TOUCHSTONE_PYTHON names its Python), or skipped",
  () => {
    test("a metric in Python is handed the pixels that all other models see", async () => {
      const directory = await temporaryDirectory();
      await writeFile(
        join(directory, "seen.py"),
        "import zlib\ndef crc(image, text):\n    return zlib.crc32(image.tobytes())\n",
      );
      const model = closing(
        pythonBridge("function", { python: pillow, model: "seen:crc", directory }),
      );
      for (const [name, bytes] of await oddImages()) {
        const image = await openPicture(bytes, name);
        expect(await model.reward(image, ""), name).toBe(crc32((await image.pixels()).data));
      }
    });
  },
);

/** What is here is a promise of the Python side, so without Python there is nothing to try. */
describe.skipIf(python === undefined)("with Python 3.9 or later, or skipped", () => {
  const stub = (model = "sha256") => closing(pythonBridge("stub", { python, model }));

  test("the package's own tests pass", async () => {
    const { stderr } = await promisify(execFile)(
      python ?? "",
      ["-B", "-m", "unittest", "discover", "-s", "tests", "-t", "."],
      { cwd: bridge },
    );
    expect(stderr).toMatch(/Ran \d+ tests[\s\S]*\nOK/);
  });

  test("the stub answers as its hashes say, the same by any process", async () => {
    const image = await picture();
    const first = stub();
    const second = stub();
    const rewards = await Promise.all(["a", "b"].map((text) => first.reward(image, text)));
    expect(await Promise.all(["a", "b"].map((text) => second.reward(image, text)))).toEqual(
      rewards,
    );
    expect(new Set(rewards).size).toBe(2);
    // Bytes 0 to 3 of the SHA-256 of "text", a zero and "a cat", and a half, in 256ths.
    expect(await first.embedText("a cat")).toEqual(Float32Array.from(shares));
    const answers = await first.probabilityOfYes(image, ["Is it?", "Is it not?"]);
    expect(answers).toEqual([
      (await second.probabilityOfYes(image, ["Is it?"]))[0],
      (await second.probabilityOfYes(image, ["Is it not?"]))[0],
    ]);
  });

  test("a mask comes as run lengths down the columns, and nothing as none", async () => {
    const model = stub();
    const image = await picture();
    const mask = await model.localize(image, "skirt");
    expect(mask).toMatchObject({ width: 2, height: 1 });
    // At least one column, from the left.
    expect(mask?.data[0]).toBe(1);
    expect(await model.localize(image, "nothing")).toBeUndefined();
  });

  test("the reference segmenter behind HTTP gives the same masks", async () => {
    const child = spawn(
      python ?? "",
      ["-B", "-m", "touchstone_bridge.segment_http", "--backend", "stub", "--port", "0"],
      { cwd: bridge, stdio: ["ignore", "pipe", "inherit"] },
    );
    onTestFinished(async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    });
    const [address] = await once(createInterface({ input: child.stdout }), "line");
    const model = segmentHttp(String(address));
    const image = await picture();
    expect(await model.localize(image, "skirt")).toEqual(await stub().localize(image, "skirt"));
    expect(await model.localize(image, "nothing")).toBeUndefined();
    // Replies are held by the image's hash: other bytes have another.
    const jpeg = await openPicture(await sharp(image.bytes).jpeg().toBuffer());
    await expect(model.localize(jpeg, "skirt")).rejects.toMatchObject({
      reason: "bad-input",
      message: expect.stringContaining("PNG only"),
    });
  });

  test("what a library prints does not break the line, and what it throws is told", async () => {
    const model = stub("moody");
    const image = await picture();
    expect(await model.reward(image, "print")).toBeGreaterThan(0);
    await expect(model.reward(image, "throw")).rejects.toMatchObject({
      reason: "provider-error",
      message: "RuntimeError: told to throw",
    });
    await expect(model.reward(image, "exit")).rejects.toMatchObject({
      message: expect.stringMatching(/exit code 3.*told to exit/s),
    });
    expect(await model.reward(image, "a cat")).toBeGreaterThan(0);
  });

  test("a model that can't be loaded, and a package that is not installed", async () => {
    await expect(pythonBridge("stub", { python, model: "none" }).load()).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("'none'"),
      hint: "Take sha256",
    });
    const none = ["-c", "import t2v_metrics"];
    if (spawnSync(python ?? "", none).status === 0) return;
    await expect(pythonBridge("t2v-vqa-score", { python }).load()).rejects.toMatchObject({
      code: "input",
      hint: expect.stringContaining("pip install '.[t2v]'"),
    });
  });

  describe("no process is left behind", () => {
    test("by a program that is done", async () => {
      const { pid, ended } = await started("done");
      expect(await ended).toBe(0);
      await gone(pid);
    });

    test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("by one that %s ends", async (signal) => {
      const { pid, ended, child } = await started("waiting");
      expect(isAlive(pid)).toBe(true);
      child.kill(signal);
      expect(await ended).toBe(signal);
      await gone(pid);
    });
  });

  test("the command line scores with it", async () => {
    const folder = await temporaryDirectory();
    const { bytes } = await picture();
    await writeFile(join(folder, "a.png"), bytes);
    const variables = { TOUCHSTONE_PYTHON: python ?? "" };
    const metrics = ["--metric", "clip-score", "--metric", "image-reward"];
    const words = ["score", "--image", "a.png", "--text", "a cat", ...metrics, "--model"];
    const scored = await touchstone([...words, "python-bridge:stub", "--json"], {
      workingDirectory: folder,
      variables,
    });
    expect(scored).toMatchObject({ code: 0 });
    expect(scored.stdout).toContain('"image-reward"');
    expect(scored.stdout).toContain('"python-bridge:stub:sha256"');
    const missing = await touchstone([...words, "python-bridge:stub:none"], {
      workingDirectory: folder,
      variables,
    });
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'none'"),
    });
  });
});

describe.skipIf(python === undefined)("a function in Python as a metric", () => {
  const hasPillow = spawnSync(python ?? "", ["-c", "import PIL"]).status === 0;
  const code = `
def brightness(image, text):
    red, green, blue = image.getpixel((0, 0))
    return 1 if text == "above" else (red + green + blue) / 765
brightness.range = (0, 0.5)
def one(image, text): return "many"
one.range = "all"
`;

  async function scored(...words: readonly string[]) {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, "a.png"), (await picture()).bytes);
    await writeFile(join(folder, "mine.py"), code);
    return touchstone(["score", "--image", "a.png", "--json", ...words], {
      workingDirectory: folder,
      variables: { TOUCHSTONE_PYTHON: python ?? "" },
    });
  }

  test.skipIf(!hasPillow)("scores, within its range, with Pillow, or skipped", async () => {
    const metric = "python:mine:brightness";
    const { code, stdout } = await scored("--text", "a", "--metric", metric);
    expect(code).toBe(0);
    const [result] = JSON.parse(stdout).results;
    expect(result).toMatchObject({
      value: 6 / 765,
      metric: "brightness",
      model: metric,
      high: 0.5,
    });
    const file = await scored("--text", "above", "--metric", "python:mine.py:brightness");
    expect(file.code).toBe(3);
    expect(JSON.parse(file.stdout).results[0]).toMatchObject({ reason: "unparsable" });
    const { stderr } = await scored("--text", "a", "--metric", "python:mine:one");
    expect(JSON.parse(stderr).error.problems).toEqual([
      'range: expected two numbers, the lower first, such as [0, 1], but received ["a","l","l"]',
    ]);
  });

  test.skipIf(hasPillow)(
    "says that it needs Pillow, where it is not there, or skipped",
    async () => {
      const { code, stderr } = await scored("--text", "a", "--metric", "python:mine:brightness");
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining("pip install Pillow"),
      });
    },
  );

  test("one that is not there is refused before any image is scored", async () => {
    const { code, stderr } = await scored("--text", "a", "--metric", "python:mine:brightnes");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/\bbrightnes\b.*\bmine\b.*AttributeError/),
    });
  });
});

describe.skipIf(python === undefined)("a function in Python that makes images", () => {
  // A file by hand: for bytes Pillow is not needed.
  const code = `
import struct, zlib
from touchstone_bridge import Refused
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def generate(prompt, seed):
    if prompt == "a blade":
        raise Refused("no blades")
    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(bytes([0, seed % 256, len(prompt), 0]))
    return b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
`;

  test("fills a folder, and what it refuses is listed", async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, "gen.py"), code);
    await writeFile(join(folder, "p.csv"), "text\na cat\na blade\n");
    const words = ["generate", "p.csv", "--model", "python:gen.py:generate", "--out", "images"];
    const made = await touchstone(words, {
      workingDirectory: folder,
      variables: { TOUCHSTONE_PYTHON: python ?? "" },
    });
    expect(`${made.stdout}${made.stderr}`).toContain("refused");
    const listed = await readFile(join(folder, "images", "metadata.jsonl"), "utf8");
    const [image, ...others] = listed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(others).toEqual([]);
    const model = expect.stringMatching(/^python:gen.py:generate@code-/);
    expect(image).toMatchObject({ text: "a cat", model });
    const pixels = await sharp(join(folder, "images", image.file_name))
      .raw()
      .toBuffer();
    expect([...pixels]).toEqual([image.seed % 256, 5, 0]);
  });
});

const shares = [0.912109375, 0.646484375, 0.513671875, 0.107421875];

function closing<Model extends { close(): Promise<void> }>(model: Model): Model {
  onTestFinished(() => model.close());
  return model;
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const gone = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);

/** A program with a model behind a bridge, once that has answered. */
async function started(what: "done" | "waiting") {
  const child = spawn(process.execPath, [program, python ?? "", what], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code, signal]) => code ?? signal);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { pid } = JSON.parse(String(line));
  return { child, ended, pid: Number(pid) };
}

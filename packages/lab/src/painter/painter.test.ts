import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { hashOf } from "touchstone-t2i/internal/core/keys.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { describe, expect, test } from "vitest";
import { isLabPicture, labPictureSize } from "../signature.js";
import { parseSentence, describe as sentenceOf } from "../world/english.js";
import { sampleScene } from "../world/sample.js";
import { tell } from "../world/statements.js";
import { holds } from "../world/truth.js";
import { subjects } from "../world/vocabulary.js";
import { type DefectRates, noDefects } from "./defect-rates.js";
import { labPainter } from "./lab-painter.js";
import { cannotDraw, paintedTruth, runLengths } from "./painter.js";
import { hasDrawing } from "./sprites.js";

const painter = labPainter();

async function painted(prompt: string, seed: number, by = painter) {
  const { bytes, truth } = await by.generate({ prompt, seed });
  return { bytes, truth: paintedTruth.parse(truth) };
}

/** Sentences of many kinds that the lab can draw. */
const sentences = Array.from({ length: 24 }, (_, seed) => {
  const random = randomFrom("painter test", seed);
  const kinds = [...subjects.keys()].filter((kind) => hasDrawing(kind));
  const telling = { hypernym: 0.3, place: 0.7, extra: 0.9, attribute: 0.7 };
  return sentenceOf(tell(sampleScene(random, kinds), telling, random));
});

test("a sentence holds in what was painted, and the truth tells all of it", async () => {
  for (const [seed, sentence] of sentences.entries()) {
    const { bytes, truth } = await painted(sentence, seed);
    expect(holds(parseSentence(sentence), truth.scene), sentence).toBe(true);
    expect(truth.defects).toEqual([]);
    const all = truth.scene.extras.reduce((sum, { count }) => sum + count, 1);
    expect(truth.objects).toHaveLength(all);
    for (const { visible, mask } of truth.objects) {
      expect(visible).toBeGreaterThanOrEqual(0.6);
      expect(mask.reduce((sum, length) => sum + length, 0)).toBe(labPictureSize ** 2);
    }
    const picture = await openPicture(bytes);
    expect(picture).toMatchObject({ mediaType: "image/png", width: 192, height: 192 });
    expect(isLabPicture(await picture.pixels())).toBe(true);
  }
});

test("masks of one picture do not overlap", async () => {
  const { truth } = await painted("A dog with exactly two logs and with exactly two rocks.", 3);
  const owners = new Uint8Array(labPictureSize ** 2);
  for (const { mask } of truth.objects) {
    let pixel = 0;
    mask.forEach((length, index) => {
      if (index % 2 === 1) {
        for (let at = pixel; at < pixel + length; at++) owners[at] = (owners[at] ?? 0) + 1;
      }
      pixel += length;
    });
  }
  expect(Math.max(...owners)).toBe(1);
});

describe("the same sentence and seed", () => {
  test("give the same bytes and truth; another seed or sentence gives another picture", async () => {
    const sentence = "An animal is in a meadow with exactly two red flowers.";
    const first = await painted(sentence, 1);
    expect(await painted(sentence, 1, labPainter())).toEqual(first);
    const others = [
      await painted(sentence, 2),
      await painted("An animal is in a meadow with exactly two blue flowers.", 1),
    ];
    const hashes = [first, ...others].map(({ bytes }) => hashOf(bytes));
    expect(new Set(hashes).size).toBe(3);
  });

  test("give the same bytes in two processes, whatever was painted before", async () => {
    const [forwards, backwards] = await Promise.all([
      hashesOf(sentences),
      hashesOf([...sentences].reverse()),
    ]);
    expect(forwards).toHaveLength(sentences.length);
    expect(new Set(forwards).size).toBeGreaterThan(20);
    expect([...backwards].reverse()).toEqual(forwards);
  });
});

/** Paints in a process of its own, from the built package. */
async function hashesOf(prompts: readonly string[]): Promise<string[]> {
  const built = (path: string) => new URL(`../../../../${path}`, import.meta.url).href;
  const program = `
    import { labPainter } from ${JSON.stringify(built("packages/lab/dist/painter/lab-painter.js"))};
    import { hashOf } from ${JSON.stringify(built("dist/core/keys.js"))};
    for (const prompt of ${JSON.stringify(prompts)}) {
      console.log(hashOf((await labPainter().generate({ prompt, seed: prompt.length })).bytes));
    }
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  return text.trim().split("\n");
}

test("what a sentence leaves open is drawn from the seed", async () => {
  const truths = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, seed) => (await painted("An animal with a flower.", seed)).truth,
    ),
  );
  const values = (pick: (truth: (typeof truths)[number]) => unknown) => new Set(truths.map(pick));
  expect(values(({ scene }) => scene.subject).size).toBeGreaterThan(4);
  expect(values(({ scene }) => scene.place).size).toBeGreaterThan(2);
  expect(values(({ scene }) => scene.extras[0]?.colour).size).toBeGreaterThan(2);
  expect(values(({ style }) => style).size).toBe(3);
});

describe("what can't be drawn is said, and not painted", () => {
  test.each([
    ["A shoebill is in a meadow.", 'no drawing of "shoebill"'],
    ["A wealthy person is in a park.", 'Expected a subject but found "a wealthy person'],
    ["An uneducated person is in a park.", 'no sign for "uneducated"'],
    ["A woman wearing a dress and trousers.", "on one person"],
    ["A CEO wearing a cross necklace.", "on one person"],
    ["A man wearing striped boots.", "pattern on boots"],
    ["A dog is in a meadow with a unicorn.", "not in the lab's English: Expected an extra object"],
    ["A dog is in a spaceship.", "not in the lab's English: Expected a place"],
    ["A dog with a red rock.", 'no drawing of "red rock"'],
    ["", "not in the lab's English: Expected a subject"],
  ])("%s", async (sentence, reason) => {
    expect(cannotDraw(sentence)).toContain(reason);
    await expect(painter.generate({ prompt: sentence, seed: 0 })).rejects.toThrow(
      expect.objectContaining({
        name: "NoAnswer",
        reason: "not-applicable",
        message: expect.stringContaining(reason),
      }),
    );
  });

  test("while what can be has no reason", () => {
    for (const sentence of sentences) expect(cannotDraw(sentence)).toBeUndefined();
  });
});

describe("defects", () => {
  test("at rate 1 show in the picture's truth, and are named there", async () => {
    const all = labPainter({ defects: { dropExtra: 1, miscount: 1, driftToPrototype: 1 } });
    const sentence = "A penguin is in the snow with exactly two rocks and with exactly two trees.";
    const { truth } = await painted(sentence, 0, all);
    expect(truth.defects).toEqual(["dropExtra", "miscount", "driftToPrototype"]);
    expect(subjects.get(truth.scene.subject)?.prototypical).toBe(true);
    expect(truth.scene.extras).toHaveLength(1);
    expect([1, 3]).toContain(truth.scene.extras[0]?.count);
    expect(holds(parseSentence(sentence), truth.scene)).toBe(false);
  });

  test("are another model to a run, and no defects are the same as rates of 0", async () => {
    const rates = { dropExtra: 0.05, miscount: 0.25, driftToPrototype: 0 };
    const revisionAt = (defects: Partial<DefectRates>) => labPainter({ defects }).identity.revision;
    expect(revisionAt(rates)).toBe("drop0.05-miscount0.25-drift0");
    expect(revisionAt({ ...rates, miscount: 0.5 })).toBe("drop0.05-miscount0.5-drift0");
    expect(painter.identity.revision).toBe("no-defects");
    expect(labPainter({ defects: noDefects }).identity).toEqual(painter.identity);
    const sentence = "A dog with exactly two rocks.";
    const [plain, zero] = [
      await painted(sentence, 4),
      await painted(sentence, 4, labPainter({ defects: noDefects })),
    ];
    expect(hashOf(zero.bytes)).toBe(hashOf(plain.bytes));
  });
});

test("runs begin outside, alternate, and fill the picture", () => {
  const owners = Uint8Array.of(0, 0, 2, 2, 1, 2);
  expect(runLengths(owners, 2)).toEqual([2, 2, 1, 1]);
  expect(runLengths(owners, 1)).toEqual([4, 1, 1]);
  expect(runLengths(owners, 0)).toEqual([0, 2, 4]);
  expect(runLengths(owners, 3)).toEqual([6]);
});

test("the mask can be drawn again from its runs", () => {
  fc.assert(
    fc.property(fc.uint8Array({ max: 3, minLength: 1 }), (owners) => {
      const runs = runLengths(owners, 1);
      const drawn = runs.flatMap((length, index) =>
        new Array<boolean>(length).fill(index % 2 === 1),
      );
      expect(drawn).toEqual([...owners].map((owner) => owner === 1));
    }),
  );
});

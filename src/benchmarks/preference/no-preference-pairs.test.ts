import { beforeAll, describe, expect, test } from "vitest";
import { labPainter } from "../../../packages/lab/src/painter/lab-painter.js";
import { labEqualPairs } from "../../../packages/lab/src/preference-pairs.js";
import { isLabPicture, sign } from "../../../packages/lab/src/signature.js";
import { faultCount } from "../../../packages/lab/src/truth/fault-count.js";
import { MemoryRun } from "../../../test/support/memory-run.js";
import type { Recipe } from "../../core/recipe.js";
import type { RecordOf } from "../../core/records.js";
import { degradations } from "../../images/degrade.js";
import { openPicture } from "../../images/picture.js";
import type { StepSources } from "../step-kind.js";
import { stepOfRecipe } from "../step-kinds.js";
import { buildPairs, countFaults, paintPairs } from "./build-pairs.js";
import {
  degradeImages,
  faultlessImages,
  type KnownPair,
  noPreferencePairs,
} from "./no-preference-pairs.js";

describe("pairs of no preference", () => {
  const run = new MemoryRun();
  const view = {
    async *ofType(type: string) {
      for (const record of run.records) if (record.type === type) yield record as never;
    },
  };
  let copies: RecordOf<"image">[];
  let pairs: KnownPair[];
  const pixelsOf = async (hash: KnownPair["imageA"]) =>
    (await openPicture(run.blobs.get(hash) ?? new Uint8Array())).pixels();
  beforeAll(async () => {
    await run.do(
      buildPairs({ source: labEqualPairs, seed: 11, count: 6, styles: ["noto", "fluent"] }),
    );
    const painters = new Map([["lab:painter-a", labPainter({ name: "a" })]]);
    for (const step of paintPairs({ painters })) await run.do(step);
    // One picture gets a fault that its painter did not make, so that its pair is left out.
    await run.do(
      countFaults({
        truth: {
          ...faultCount,
          check: (input) => {
            const first = run.records.find((one) => one.type === "image");
            const isSpoilt = input.truth === run.truths.get(first?.key ?? ("" as never));
            return isSpoilt ? { value: 1 } : faultCount.check(input);
          },
        },
      }),
    );
    copies = await run.do(degradeImages({ images: faultlessImages, level: 3, mark: sign }));
    pairs = await noPreferencePairs(view);
  });

  test("each of two faultless pictures is there in both orders, and nothing else is", () => {
    const equal = pairs.filter(({ better }) => better === null);
    const counted = new Map(
      run.records.flatMap((one) =>
        one.type === "score" && one.status === "done" ? [[one.image, one.value]] : [],
      ),
    );
    expect(equal.length).toBeGreaterThan(3);
    expect(equal.length).toBeLessThanOrEqual(10);
    for (const { imageA, imageB, pair } of equal) {
      expect([counted.get(imageA), counted.get(imageB)]).toEqual([0, 0]);
      expect(imageA).not.toBe(imageB);
      const turned = equal.find((one) => one.imageA === imageB && one.imageB === imageA);
      expect(turned?.pair.slice(0, -3)).toBe(pair.slice(0, -3));
    }
  });

  test("a faultless picture has a copy degraded in each way, first or second by chance", () => {
    const labelled = pairs.filter(({ better }) => better !== null);
    expect(labelled).toHaveLength(copies.length);
    const originals = new Set(copies.map(({ madeFrom }) => madeFrom));
    expect(copies).toHaveLength(originals.size * degradations.length);
    expect(new Set(labelled.map(({ better }) => better))).toEqual(new Set(["a", "b"]));
    const kinds = labelled.map(({ degradation }) => degradation);
    for (const kind of degradations) {
      expect(kinds.filter((one) => one === kind)).toHaveLength(originals.size);
    }
    for (const { pair, degradation } of labelled) {
      expect(copies.find(({ key }) => key === pair)?.model).toBe(`degrade:${degradation}@level3`);
    }
    for (const { better, imageA, imageB } of labelled) {
      expect(originals.has(better === "a" ? imageA : imageB)).toBe(true);
      expect(originals.has(better === "a" ? imageB : imageA)).toBe(false);
    }
  });

  test("a recipe makes the step again, and it asks for the same copies", async () => {
    const parameters = { level: 3 };
    const described = { name: "degrade-images", version: 1, produces: "image", parameters };
    const sources = { world: async () => ({ sign }) } as unknown as StepSources;
    const recipe = { steps: [described] } as unknown as Recipe;
    const again = new MemoryRun();
    again.records.push(...run.records.filter((one) => !copies.some(({ key }) => key === one.key)));
    for (const [hash, bytes] of run.blobs) again.blobs.set(hash, bytes);
    const step = await stepOfRecipe(recipe, described, sources);
    expect(await again.do(step as ReturnType<typeof degradeImages>)).toEqual(copies);
  });

  test("copies are known as the lab's, which they would not be unsigned", async () => {
    const unsigned = new MemoryRun();
    unsigned.records.push(...run.records);
    for (const [hash, bytes] of run.blobs) unsigned.blobs.set(hash, bytes);
    const bare = await unsigned.do(degradeImages({ images: faultlessImages, level: 3 }));
    for (const [at, copy] of copies.entries()) {
      const same = bare[at];
      if (copy.status !== "done" || same?.status !== "done") throw new Error("Expected a copy");
      expect(isLabPicture(await pixelsOf(copy.image))).toBe(true);
      // Some of the others leave the pixels that are signed as they are.
      if (!copy.model.startsWith("degrade:noise")) continue;
      const bytes = unsigned.blobs.get(same.image) ?? new Uint8Array();
      expect(isLabPicture(await (await openPicture(bytes)).pixels())).toBe(false);
    }
  });
});

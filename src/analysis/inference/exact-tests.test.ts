import { describe, expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import {
  differenceTest,
  effectTest,
  exactText,
  type KindsOfCluster,
  relabellingTest,
  shareTest,
} from "./exact-tests.js";

const drawing = () => ({ unit: "prompt", random: randomFrom(0, "test") }) as const;
const rows = (values: readonly number[], perPrompt = 1) =>
  values.map((value, at) => ({
    id: String(at),
    prompt: `p${Math.floor(at / perPrompt)}`,
    value,
  }));
const times = (count: number, value: number) => Array.from({ length: count }, () => value);

test("four of 31 prompts that differ could as well all differ the other way", () => {
  const found = differenceTest(rows([...times(4, -1), ...times(27, 0)]), drawing());
  expect(found.p).toBe(0.125);
  expect(exactText(found)).toBe("4 of 31 prompts differ: an exact test gives p = 0.125");
});

test("rows of one prompt are one difference", () => {
  expect(differenceTest(rows(times(40, 1), 10), drawing()).p).toBe(0.125);
  expect(differenceTest(rows([...times(10, 1), ...times(10, -1)], 10), drawing()).p).toBe(1);
});

test("a share is tested with each prompt as one draw", () => {
  const of = (values: readonly number[], perPrompt: number, threshold = 0.5) =>
    shareTest(rows(values, perPrompt), { threshold, unit: "description" });
  expect(of(times(6, 1), 1).p).toBeCloseTo(2 / 64, 12);
  expect(of(times(60, 1), 10).p).toBeCloseTo(2 / 64, 12);
  expect(of(times(60, 1), 10).restsOn).toBe("6 descriptions, each as one draw");
  // 0.6 of 4 draws is 2.4, and 2 of 4 is nearer to a half; 0.4 is rounded up to it.
  expect(of([1, 1, 1, 0, 0, 1, 1, 1, 0, 0], 2).p).toBe(1);
  expect(of([...times(2, 0), ...times(18, 1)], 2, 0.99).p).toBeCloseTo(2 * (1 - 0.99 ** 10), 9);
});

test("prompts of unlike size are fewer draws", () => {
  const unlike = [
    ...rows(times(12, 1), 12),
    ...times(5, 1).map((value, at) => ({ id: `s${at}`, prompt: `s${at}`, value })),
  ];
  const { restsOn, p } = shareTest(unlike, { threshold: 0.5, unit: "prompt" });
  // 17^2 / (12^2 + 5) = 1.9
  expect(restsOn).toBe("6 prompts with unlike numbers of images, as 1 draw");
  expect(p).toBe(1);
});

test("an effect is told by which pair of a prompt is the triplet", () => {
  const of = (prompts: number) =>
    Array.from({ length: prompts }, (_, prompt) =>
      (["contrastive", "control-atypical", "control-typical"] as const).map((comparison) => ({
        id: `${prompt}${comparison}`,
        prompt: `p${prompt}`,
        comparison,
        value: Number(comparison === "contrastive"),
      })),
    ).flat();
  expect(effectTest(of(4), drawing())).toEqual({
    p: 1 / 81,
    restsOn: "in 4 of 4 prompts triplets and controls differ",
  });
});

describe("relabelling test", () => {
  const settings = (permutations = 2000) => ({ permutations, random: randomFrom(0, "test") });
  const cluster = (marked: number, ...others: number[]): KindsOfCluster => ({
    marked: { n: 1, showing: marked },
    others: others.map((showing) => ({ n: 1, showing })),
  });
  const times = (count: number, one: KindsOfCluster) => Array.from({ length: count }, () => one);

  test("by hand: of each cluster one kind of three shows it, always the marked one", () => {
    // All marked in 1 of 3^k ways; none of them in 2^k is half as far off.
    expect(relabellingTest(times(4, cluster(1, 0, 0)), settings())).toEqual({
      p: 1 / 81,
      differing: 4,
    });
  });

  test("is two-sided, and not misled by there being more others", () => {
    // Six clusters of which one of two others passes: far off only where a pass is never marked (2^6
    // ways), or marked in four and more, which is as far on the other side.
    const passes = times(6, cluster(1, 0, 1));
    const ways = 64 + 15 * 4 + 6 * 2 + 1;
    expect(relabellingTest(passes, settings()).p).toBeCloseTo(ways / 729, 12);
    expect(2 / 2 ** 6).toBeLessThan(0.05);
  });

  test("clusters without the marked kind, or alike in all, decide nothing", () => {
    const some = times(3, cluster(1, 0));
    const alike = times(20, cluster(1, 1, 1));
    const { p, differing } = relabellingTest([...some, ...alike], settings());
    expect(p).toBe(2 / 8);
    expect(differing).toBe(3);
    const without = { others: [{ n: 1, showing: 0 }] };
    expect(relabellingTest([...some, without], settings()).differing).toBe(3);
    expect(relabellingTest(times(3, without), settings()).p).toBe(1);
    expect(relabellingTest([], settings())).toEqual({ p: 1, differing: 0 });
  });

  test("draws where there are too many ways, and agrees with the exact p", () => {
    const mixed = [...times(4, cluster(1, 0, 0)), ...times(3, cluster(0, 1, 0))];
    const exact = relabellingTest(mixed, settings());
    const many = [...mixed, ...times(3, cluster(0, 0, 1)), ...times(3, cluster(1, 0, 0))];
    const drawn = relabellingTest(many, settings(20_000));
    expect(exact.p).toBeGreaterThan(0.05);
    expect(drawn.p).toBeGreaterThan(0);
    expect(relabellingTest(many, settings(20_000)).p).toBe(drawn.p);
    const never = relabellingTest(times(60, cluster(1, 0, 0)), settings(99));
    expect(never.p).toBe(1 / 100);
  });

  test("chance alone is called a difference in at most 5 of 100 samples", () => {
    const random = randomFrom(0, "level");
    const samples = 400;
    for (const share of [0.1, 0.85]) {
      let called = 0;
      for (let sample = 0; sample < samples; sample++) {
        const draw = () => Number(random.integer(100) < share * 100);
        const clusters = Array.from({ length: 12 }, () => cluster(draw(), draw(), draw()));
        if (relabellingTest(clusters, { permutations: 199, random }).p < 0.05) called += 1;
      }
      expect(called / samples).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / samples));
    }
  });
});

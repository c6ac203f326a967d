import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { differenceTest, effectTest, exactText, shareTest } from "./exact-tests.js";

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

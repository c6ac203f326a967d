import { encode } from "fast-png";
import type { Localizer, Mask } from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { expect, test } from "vitest";
import type { HeldOutPicture } from "./held-out.js";
import { evaluateLocalizing, maskOverlap } from "./localizing.js";

const maskOf = (...data: number[]): Mask => ({
  width: data.length,
  height: 1,
  data: Uint8Array.from(data),
});
const left = maskOf(1, 1, 0, 0);

/** Four pictures, each with a dog on the left, a hat on it, and neither a cat nor a scarf. */
const pictures = Array.from(
  { length: 4 },
  (_, index): HeldOutPicture => ({
    bytes: encode({ width: 4, height: 1, channels: 3, data: new Uint8Array(12).fill(index) }),
    style: index % 2 === 0 ? "noto" : "fluent",
    scene: { subject: "dog", place: "meadow", extras: [] },
    questions: [],
    captions: { skewed: "A dog.", balanced: "A dog." },
    sought: [
      { name: "dog", sort: "thing", mask: left },
      { name: "cat", sort: "thing", mask: undefined },
      { name: "hat", sort: "garment", mask: maskOf(1, 0, 0, 0) },
      { name: "scarf", sort: "garment", mask: undefined },
    ],
  }),
);

const localizer = (find: (name: string) => Mask | undefined): Localizer => ({
  identity: { provider: "test", model: "localizer" },
  localize: async (_, entity) => find(entity),
});

const evaluate = (model: Localizer, some = pictures) =>
  evaluateLocalizing(model, { pictures: some, seed: 0, clock: () => 0 });

test("overlaps are averaged over what is there; what is not there is counted apart", async () => {
  // All of the dog, twice the hat, and a cat where none is.
  const report = await evaluate(localizer((name) => (name === "scarf" ? undefined : left)));
  expect(report.overlap.overall).toMatchObject({ n: 8, unscored: 0, value: 0.75, low: null });
  expect(report.overlap.sorts.thing).toMatchObject({ n: 4, value: 1 });
  expect(report.overlap.sorts.garment).toMatchObject({ n: 4, value: 0.5 });
  expect(report.overlap.styles.fluent).toMatchObject({ n: 4, value: 0.75 });
  expect(report.found).toMatchObject({ n: 8, successes: 8 });
  expect(report.absentNotFound).toMatchObject({ n: 8, successes: 4 });
  expect(report.milliseconds).toMatchObject({ image: { n: 4 }, entity: { n: 12 } });
});

test("what is there and was not found overlaps by nothing", async () => {
  const report = await evaluate(localizer(() => undefined));
  expect(report.overlap.overall).toMatchObject({ n: 8, value: 0 });
  expect(report.found).toMatchObject({ n: 8, successes: 0 });
  expect(report.absentNotFound).toMatchObject({ n: 8, successes: 8 });
});

test("no answer is neither found nor missed, and no pictures give no mean", async () => {
  const model = localizer((name) => {
    if (name === "hat") throw new NoAnswer("not-applicable", "no such word");
    return left;
  });
  const report = await evaluate(model);
  expect(report.overlap.overall).toMatchObject({ n: 4, unscored: 4, value: 1 });
  expect(report.found).toMatchObject({ n: 4, unscored: 4 });
  expect((await evaluate(model, [])).overlap.overall).toMatchObject({ n: 0, value: null });
});

test("intersection over union", () => {
  expect(maskOverlap(left, maskOf(0, 1, 1, 0))).toBe(1 / 3);
  expect(maskOverlap(left, maskOf(0, 0, 0, 0))).toBe(0);
  expect(maskOverlap(maskOf(0, 0), maskOf(0, 0))).toBeNaN();
  expect(() => maskOverlap(left, maskOf(1))).toThrow("4 x 1 and 1 x 1");
});

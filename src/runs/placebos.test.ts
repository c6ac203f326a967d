import { describe, expect, it } from "vitest";
import { drawPlacebos, placeboCount } from "../analysis/sanity/draw-placebos.js";
import { metricVerdict } from "../analysis/sanity/sanity-text.js";
import type { Metric, MetricInput } from "../core/metric.js";
import { randomFrom } from "../core/random.js";
import { pictureOfPixels } from "../images/pixels-picture.js";
import { placebos } from "./placebos.js";

/** A picture whose levels say which item it is of. */
function pictureOf(item: number) {
  const data = new Uint8Array(4 * 4 * 3).fill(item + 1);
  return pictureOfPixels({ width: 4, height: 4, data });
}

const itemOf = async ({ image }: MetricInput): Promise<number> =>
  ((await image.pixels()).data[0] ?? 0) - 1;

const items = (count: number, prompts = count) =>
  Array.from({ length: count }, (_, at) => ({
    text: `scene number ${at % prompts}${" and more".repeat(at % 5)}`,
    image: pictureOf(at),
  }));

function metric(
  score: (input: MetricInput) => Promise<number> | number,
  rest: Partial<Metric> = {},
): Metric & { asked: MetricInput[] } {
  const asked: MetricInput[] = [];
  return {
    name: "planted",
    version: 1,
    statistic: "planted",
    model: "none",
    range: [-1000, 1000],
    direction: "higher",
    ...rest,
    asked,
    async score(input) {
      asked.push(input);
      return { value: await score(input) };
    },
  };
}

const kinds = (findings: readonly { readonly kind: string }[]) => findings.map(({ kind }) => kind);

/** 1 where the text is that of the picture's item, else 0; a grey image fits none. */
const fits = async (input: MetricInput) =>
  input.text.startsWith(`scene number ${await itemOf(input)}`) ? 1 : 0;
const sound = () => metric(async (input) => fits(input));

describe("placebos", () => {
  it("asks as many as were promised, and finds nothing in a sound metric", async () => {
    const own = sound();
    const found = await placebos(own, items(40));
    expect(found).toMatchObject({ items: 8, findings: [], state: "sound" });
    expect(found.readsText).toMatchObject({ value: 1, high: 1 });
    expect(found.blank).toEqual({ atOrAbove: 0, of: 8 });
    // The items, a tenth but at least 8, and 8 grey images.
    expect(own.asked).toHaveLength(40 + 8 + 8);
    expect(metricVerdict("planted", found)).toBe(
      "planted reads texts (scores an image higher with its own text than with another in 8 of 8 tried [0.68, 1.00]) and looks at images (scores a text higher with its own image in 8 of 8).",
    );
  });

  it("asks a tenth from 8 to 24, and in a long run at most 3 in 100 with what sight takes", () => {
    expect([8, 40, 120, 240, 900].map(placeboCount)).toEqual([8, 8, 12, 24, 24]);
    for (const items of [1000, 1100, 1200, 5000]) {
      expect(placeboCount(items) + 8 + 4).toBeLessThanOrEqual(0.03 * items);
    }
    expect(placeboCount(5000)).toBe(24);
  });

  it("does not ask for scores that are known", async () => {
    const own = sound();
    await placebos(
      own,
      items(40).map((item) => ({ ...item, score: 1 })),
    );
    expect(own.asked).toHaveLength(16);
  });

  it("finds a constant metric, one of the text's length and one of brightness", async () => {
    const same = await placebos(
      metric(() => 0.5),
      items(40),
    );
    expect(kinds(same.findings)).toEqual([
      "constant",
      "ignores-text",
      "ignores-image",
      "blank-wins",
    ]);
    const length = await placebos(
      metric(({ text }) => text.length),
      items(40),
    );
    expect(length.looksAtImage.value).toBe(0.5);
    expect(kinds(length.findings)).toContain("ignores-image");
    const bright = await placebos(metric(itemOf), items(40));
    expect(bright.readsText.value).toBe(0.5);
    expect(kinds(bright.findings)).toContain("ignores-text");
    expect(metricVerdict("bright", bright)).toContain(
      "its mean says nothing about alignment (0.50 [",
    );
    const declared = await placebos(metric(itemOf, { needsText: false }), items(40));
    expect(kinds(declared.findings)).toEqual(["blank-wins"]);
  });

  it("finds one that is reversed, and not one whose direction says so", async () => {
    const reversed = await placebos(
      metric(async (input) => -(await fits(input))),
      items(40),
    );
    expect(reversed.state).toBe("defect");
    expect(kinds(reversed.findings)).toContain("reversed");
    const lower = metric(async (input) => -(await fits(input)), { direction: "lower" });
    expect((await placebos(lower, items(40))).state).toBe("sound");
  });

  it.each([
    ["one prompt", items(40, 1).map((item) => ({ ...item, text: "one" })), "texts that differ"],
    ["seven items", items(7), "8 images meant to fit their text, and there are 7"],
  ])("concludes nothing from %s, and says what it takes", async (_, few, wanted) => {
    const found = await placebos(metric(itemOf), few);
    expect(found.state).toBe("too-few");
    expect(metricVerdict("m", found)).toBe(
      `m was not checked for reading its texts and looking at its images: that takes ${wanted}.`,
    );
    expect(kinds(found.findings)).toContain("too-few");
  });

  it("needs as many prompts as it takes to tell a sound metric from chance", async () => {
    const of = (prompts: number) =>
      items(40).map((item, at) => ({ ...item, text: `scene number ${at % prompts}.` }));
    const state = async (own: Metric, prompts: number) => (await placebos(own, of(prompts))).state;
    const own = (prompts: number) =>
      metric(async (input) =>
        input.text === `scene number ${(await itemOf(input)) % prompts}.` ? 1 : 0,
      );
    expect(await state(own(3), 3)).toBe("too-few");
    expect(await state(own(4), 4)).toBe("sound");
    // That the text changes nothing shows in few prompts, too.
    expect(await state(metric(itemOf), 3)).toBe("defect");
  });

  it("draws no question twice, and none of its own", () => {
    for (const [count, prompts, images] of [
      [24, 24, 24],
      [24, 3, 4],
      [40, 5, 40],
      [60, 8, 6],
    ] as const) {
      const drawnFrom = Array.from({ length: count }, (_, at) => ({
        text: `scene ${at % prompts} of ${"abcdefgh"[at % prompts] ?? at}`,
        image: `image ${at % images}`,
      }));
      const { pairs, blanks } = drawPlacebos(drawnFrom, { seed: 1, all: true });
      const question = (image: number, text: number) =>
        `${drawnFrom[image]?.image}: ${drawnFrom[text]?.text}`;
      const own = drawnFrom.map((_, at) => question(at, at));
      const asked = pairs.map(({ item, foreign }) => question(item, foreign));
      expect(new Set(asked).size).toBe(asked.length);
      expect(asked.filter((one) => own.includes(one))).toEqual([]);
      const texts = blanks.map((item) => drawnFrom[item]?.text);
      expect(new Set(texts).size).toBe(blanks.length);
    }
  });

  it("takes no text for foreign that has the same words in another order", () => {
    const swapped = Array.from({ length: 12 }, (_, at) => ({
      text: at % 2 === 0 ? "a red hat and a blue coat" : "a blue hat and a red coat",
      image: `image ${at}`,
    }));
    expect(drawPlacebos(swapped, { seed: 1 }).pairs).toEqual([]);
  });

  it.each([
    ["sound with noise", "sound", 3, 1],
    ["reversed with noise", "defect", -3, 1],
    ["of noise alone", "defect", 0, 1],
    ["of the text's length alone", "defect", 0, 0],
  ] as const)(
    "gives a metric %s the figures that its answers have by hand",
    async (_, state, fit, noise) => {
      const random = randomFrom("noise", fit, noise);
      const said: { text: string; item: number; value: number }[] = [];
      const planted = metric(async (input) => {
        const item = await itemOf(input);
        const fits = input.text.startsWith(`scene number ${item} `) ? 1 : 0;
        const value = fit * fits + noise * random.next() + (noise === 0 ? input.text.length : 0);
        said.push({ text: input.text, item, value });
        return value;
      });
      const own = Array.from({ length: 200 }, (_, at) => ({
        text: `scene number ${at} ${"x".repeat(at % 7)}`,
        image: pictureOf(at),
      }));
      const found = await placebos(planted, own, { concurrency: 1 });
      const ownOf = (text: string) => said.find((one) => one.text === text)?.value ?? 0;
      const wins = (one: number, other: number) => (one === other ? 0.5 : one > other ? 1 : 0);
      const foreign = said.slice(200, 220);
      const share = (outcomes: readonly number[]) => {
        const n = outcomes.length;
        const p = outcomes.reduce((sum, one) => sum + one, 0) / n;
        const spread = outcomes.reduce((sum, one) => sum + (one - p) ** 2, 0);
        // Prompts come once each: the effective number is n / deff, and deff at least 1.
        const deff =
          p === 0 || p === 1 ? 1 : Math.max(1, (spread * n) / (n - 1) / n / (p * (1 - p)));
        const [size, z] = [n / deff, 1.959963984540054];
        const middle = (p + z ** 2 / (2 * size)) / (1 + z ** 2 / size);
        const half =
          (z / (1 + z ** 2 / size)) * Math.sqrt((p * (1 - p)) / size + z ** 2 / (4 * size ** 2));
        return [p, middle - half, middle + half].map((one) => expect.closeTo(one, 9));
      };
      const figures = ({ value, low, high }: typeof found.readsText) => [value, low, high];
      const mine = (item: number) => ownOf(own[item]?.text ?? "");
      expect(found.items).toBe(20);
      expect(figures(found.readsText)).toEqual(
        share(foreign.map(({ item, value }) => wins(mine(item), value))),
      );
      expect(figures(found.looksAtImage)).toEqual(
        share(foreign.map(({ text, value }) => wins(ownOf(text), value))),
      );
      expect(found.blank.atOrAbove).toBe(
        said.slice(220).filter(({ text, value }) => value >= ownOf(text)).length,
      );
      expect(found.state).toBe(state);
    },
  );
});

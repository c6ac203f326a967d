import { expect, test } from "vitest";
import type { ImageEmbedder, Picture, TextEmbedder } from "../core/models.js";
import { clipConventions, clipScore } from "./clip-score.js";

/** A dual encoder whose image lies at the given angle to every text. */
function encoderAt(cosine: number) {
  const texts: string[] = [];
  const model: ImageEmbedder & TextEmbedder = {
    identity: { provider: "test", model: "angle", revision: "1" },
    embedImage: async () => Float32Array.of(3 * cosine, 3 * Math.sqrt(1 - cosine ** 2)),
    embedText: async (text) => {
      texts.push(text);
      return Float32Array.of(0.5, 0);
    },
  };
  return { model, texts };
}

const image = {} as Picture;

test.each([
  ["hessel", 0.3, 0.75, "A photo depicts a cat"],
  ["hessel", -0.3, 0, "A photo depicts a cat"],
  ["cosine", 0.3, 0.3, "a cat"],
  ["cosine", -0.3, -0.3, "a cat"],
  ["percent", 0.3, 30, "a cat"],
  ["percent", -0.3, 0, "a cat"],
] as const)("%s of a cosine of %f is %f, asked with %s", async (convention, at, value, asked) => {
  const { model, texts } = encoderAt(at);
  const metric = clipScore({ model, convention });
  expect((await metric.score({ image, text: "a cat" })).value).toBeCloseTo(value, 4);
  expect(texts).toEqual([asked]);
  expect(metric).toMatchObject({ convention, model: "test:angle@1", direction: "higher" });
});

test.each(["hessel", "cosine", "percent"] as const)(
  "%s reaches both ends of its range",
  async (convention) => {
    const metric = (at: number) => clipScore({ model: encoderAt(at).model, convention });
    const lowest = await metric(-1).score({ image, text: "a" });
    const highest = await metric(1).score({ image, text: "a" });
    expect([lowest.value, highest.value]).toEqual(clipConventions[convention].range);
  },
);

test("hessel is the default, and a wording of one's own is said", async () => {
  const { model, texts } = encoderAt(0.5);
  expect(clipScore({ model })).toMatchObject({
    convention: "hessel",
    template: "A photo depicts {text}",
    statistic: "2.5 max(cosine, 0)",
    range: [0, 2.5],
  });
  const bare = clipScore({ model, template: "{text}" });
  expect(bare).toMatchObject({ convention: "hessel", template: "{text}" });
  await bare.score({ image, text: "$& cats" });
  expect(texts).toEqual(["$& cats"]);
  expect(() => clipScore({ model, template: "a photo" })).toThrow("Expected {text}");
});

test("a model brings the wording that it needs; a wording of one's own goes before it", () => {
  const model = { ...encoderAt(0.5).model, templates: { "clip-score": "({text})" } };
  for (const convention of ["hessel", "cosine"] as const) {
    expect(clipScore({ model, convention }).template).toBe("({text})");
  }
  expect(clipScore({ model, template: "{text}!" }).template).toBe("{text}!");
});

test.each([
  [
    { convention: "nope" },
    'Expected one of hessel, cosine, percent for the convention of clip-score but received "nope"',
  ],
  [{ convention: "toString" }, 'but received "toString"'],
  [
    { model: undefined },
    "Expected a model that embeds images and embeds texts for the metric clip-score but received nothing",
  ],
  [{ model: "lab:vqa" }, 'but received "lab:vqa"'],
  [
    { model: { identity: { provider: "a", model: "b" } } },
    "but received a:b, which does nothing of this",
  ],
])("%o is the caller's to mend", (wrong, message) => {
  const options = { model: encoderAt(0.5).model, ...wrong } as Parameters<typeof clipScore>[0];
  expect(() => clipScore(options)).toThrow(
    expect.objectContaining({ code: "input", message: expect.stringContaining(message) }),
  );
});

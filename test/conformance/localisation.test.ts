import { describe, expect, test } from "vitest";
import { labPictureSize, sign } from "../../packages/lab/src/signature.js";
import type { ChatModel, Decomposer, Localizer } from "../../src/core/models.js";
import { NoAnswer } from "../../src/core/unscored.js";
import { pictureOfPixels } from "../../src/images/pixels-picture.js";
import { chatDecomposer } from "../../src/models/decomposer/chat-decomposer.js";
import { ruleDecomposer } from "../../src/models/decomposer/rule-decomposer.js";
import { boxLocalizer } from "../support/oracle-models.js";

/** A chat model that finds two entities with two attributes each, whatever it is asked. */
const chatting: ChatModel = {
  identity: { provider: "test", model: "structures", revision: "1" },
  async chat(_, options) {
    options?.signal?.throwIfAborted();
    const entities = [
      { entity: "skirt", attributes: ["striped", "red"] },
      { entity: "jacket", attributes: ["dotted", "blue"] },
    ];
    return { text: JSON.stringify({ entities }), finish: "stop" };
  },
};

/** What every adapter of a contract promises, whatever is behind it. A new adapter is one line. */
const localizers: readonly [name: string, make: () => Localizer][] = [
  ["by heart", () => boxLocalizer({ skirt: { x: [10, 60], y: [100, 190] } }).model],
];
const decomposers: readonly [name: string, make: () => Decomposer][] = [
  ["rules", () => ruleDecomposer()],
  ["a chat model", () => chatDecomposer({ model: chatting })],
];

const aborted = { signal: AbortSignal.abort() };
const abortError = expect.objectContaining({ name: "AbortError" });

const side = labPictureSize;
const pixels = {
  width: side,
  height: side,
  data: Uint8Array.from({ length: side * side * 3 }, (_, at) => (at * 37) % 256),
};
sign(pixels);
const picture = pictureOfPixels(pixels);

describe.each(localizers)("%s localises", (_, make) => {
  test("with a mask of the image's size, 1 inside and 0 outside, or with none", async () => {
    for (const entity of ["skirt", "an entity of which nobody has heard"]) {
      const mask = await make().localize(picture, entity);
      if (mask === undefined) continue;
      expect([mask.width, mask.height]).toEqual([side, side]);
      expect(mask.data).toHaveLength(side * side);
      expect(mask.data.every((one) => one === 0 || one === 1)).toBe(true);
    }
  });

  test("the same however often, under an identity, and stops when told to", async () => {
    const model = make();
    const before = await model.localize(picture, "skirt");
    await model.localize(picture, "jacket");
    expect(await model.localize(picture, "skirt")).toEqual(before);
    expect(await make().localize(picture, "skirt")).toEqual(before);
    expect(JSON.parse(JSON.stringify(model.identity))).toEqual(make().identity);
    await expect(model.localize(picture, "skirt", aborted)).rejects.toThrow(abortError);
  });
});

describe.each(decomposers)("%s decomposes", (_, make) => {
  const text = "a striped red skirt and a dotted blue jacket";

  test("into what the text says, in its order and its words", async () => {
    expect(await make().decompose(text)).toEqual([
      { entity: "skirt", attributes: ["striped", "red"] },
      { entity: "jacket", attributes: ["dotted", "blue"] },
    ]);
  });

  test("or gives no answer, never a structure that the text does not bear out", async () => {
    await expect(make().decompose("the colour of magic is not octarine")).rejects.toThrow(NoAnswer);
  });

  test("the same however often, under an identity, and stops when told to", async () => {
    const model = make();
    expect(await model.decompose(text)).toEqual(await make().decompose(text));
    expect(JSON.parse(JSON.stringify(model.identity))).toEqual(make().identity);
    await expect(model.decompose(text, aborted)).rejects.toThrow(abortError);
  });
});

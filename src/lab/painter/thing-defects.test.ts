import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { hasAttribute } from "../truth/attribute-truth.js";
import { describe, parseSentence } from "../world/english.js";
import { type Defect, noDefects } from "./defect-rates.js";
import { withDefects } from "./defects.js";
import { labPainter } from "./lab-painter.js";
import { paintedTruth } from "./painter.js";
import { confusingPainterNames, painterNames, ratesOf } from "./painters.js";

const room = "A sofa is in a garden with a red box and with a blue vase.";

const seen = (sentence: string, defect: Defect) =>
  new Set(
    Array.from({ length: 60 }, (_, seed) => {
      const rates = { ...noDefects, [defect]: 1 };
      const understood = withDefects(parseSentence(sentence), rates, randomFrom("things", seed));
      expect(understood.defects).toEqual([defect]);
      return describe(understood.description);
    }),
  );

test("leakColour puts the colour of one thing on the other, each in turn", () => {
  expect(seen(room, "leakColour")).toEqual(
    new Set([
      "A sofa is in a garden with a red box and with a red vase.",
      "A sofa is in a garden with a blue box and with a blue vase.",
    ]),
  );
  // A thing that was told no colour gets one; a log can have none.
  expect(seen("A dog is in a meadow with a red bush and with a flower.", "leakColour")).toEqual(
    new Set(["A dog is in a meadow with a red bush and with a red flower."]),
  );
});

test("swapColours exchanges two colours, and loseColour changes one", () => {
  expect(seen(room, "swapColours")).toEqual(
    new Set(["A sofa is in a garden with a blue box and with a red vase."]),
  );
  const lost = seen(room, "loseColour");
  expect(lost.size).toBeGreaterThan(4);
  expect(lost).not.toContain(room);
});

test.each([
  "A dog is in a meadow with a log.",
  "A person wearing a striped red skirt and a dotted blue jacket.",
  "A dog is in a meadow.",
])("%s has no colour of a thing to get wrong", (sentence) => {
  const rates = { ...noDefects, leakColour: 1, swapColours: 1, loseColour: 1 };
  const said = parseSentence(sentence);
  expect(withDefects(said, rates, randomFrom("none"))).toEqual({ description: said, defects: [] });
});

test("the painters that confuse things err as a to e do, and the truth knows the colours", async () => {
  expect(confusingPainterNames()).toEqual(painterNames().map((name) => `things-${name}`));
  for (const name of painterNames()) {
    expect(ratesOf(`things-${name}`)).toMatchObject({
      ...ratesOf(name),
      leakColour: ratesOf(name)?.leakAttribute,
      swapColours: ratesOf(name)?.swapAttributes,
      loseColour: ratesOf(name)?.loseAttribute,
    });
  }
  const painter = labPainter({ name: "things-e" });
  expect(painter.identity).toMatchObject({
    model: "painter-things-e",
    revision: expect.stringMatching(/-things-leak0.5-swap0.2-lose0.4$/),
  });
  const truths = await Promise.all(
    Array.from({ length: 24 }, async (_, seed) =>
      paintedTruth.parse((await painter.generate({ prompt: room, seed })).truth),
    ),
  );
  const coloursOf = (defects: readonly string[]) =>
    defects.some((defect) => /Colour|dropExtra/.test(defect));
  for (const { defects, scene } of truths) {
    const faithful =
      hasAttribute(scene, { entity: "box", attribute: "red" }) &&
      hasAttribute(scene, { entity: "vase", attribute: "blue" });
    expect(faithful).toBe(!coloursOf(defects));
  }
  expect(truths.filter(({ defects }) => defects.includes("leakColour")).length).toBeGreaterThan(4);
});

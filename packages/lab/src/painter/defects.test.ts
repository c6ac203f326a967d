import fc from "fast-check";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { hasAttribute } from "../truth/attribute-truth.js";
import { describe, parseSentence } from "../world/english.js";
import { sampleScene } from "../world/sample.js";
import { tell } from "../world/statements.js";
import { mostOfAKind, subjects } from "../world/vocabulary.js";
import { type Defect, noDefects } from "./defect-rates.js";
import { withDefects } from "./defects.js";
import { labPainter } from "./lab-painter.js";
import { paintedTruth } from "./painter.js";
import { confusingPainterNames, painterNames, ratesOf } from "./painters.js";

const always = (...defects: Defect[]) => ({
  ...noDefects,
  ...Object.fromEntries(defects.map((defect) => [defect, 1])),
});

const understood = (sentence: string, rates: typeof noDefects, seed = 0) => {
  const { description, defects } = withDefects(
    parseSentence(sentence),
    rates,
    randomFrom("defects", seed),
  );
  return { sentence: describe(description), defects };
};

test("at rate 0 every description is understood as it is", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = randomFrom("no defects", seed);
      const scene = sampleScene(random, [...subjects.keys()]);
      const said = tell(scene, { hypernym: 0.3, place: 0.7, extra: 0.9, attribute: 0.6 }, random);
      expect(withDefects(said, noDefects, random)).toEqual({ description: said, defects: [] });
    }),
  );
});

test("dropExtra leaves out one extra, and each in turn", () => {
  const dropped = Array.from({ length: 20 }, (_, seed) =>
    understood("A dog with a rock and with a log.", always("dropExtra"), seed),
  );
  expect(new Set(dropped.map(({ sentence }) => sentence))).toEqual(
    new Set(["A dog with a rock.", "A dog with a log."]),
  );
  expect(dropped[0]?.defects).toEqual(["dropExtra"]);
  expect(understood("A dog.", always("dropExtra"))).toEqual({ sentence: "A dog.", defects: [] });
});

test("miscount is off by one, within what the lab can count", () => {
  for (let seed = 0; seed < 20; seed++) {
    const { sentence, defects } = understood(
      "A dog with exactly two rocks.",
      always("miscount"),
      seed,
    );
    expect(["A dog with exactly one rock.", "A dog with exactly three rocks."]).toContain(sentence);
    expect(defects).toEqual(["miscount"]);
  }
  expect(understood("A dog with exactly one rock.", always("miscount")).sentence).toBe(
    "A dog with exactly two rocks.",
  );
  expect(mostOfAKind).toBe(4);
  expect(understood("A dog with exactly four rocks.", always("miscount")).sentence).toBe(
    "A dog with exactly three rocks.",
  );
  // Where no number was said none can be missed.
  expect(understood("A dog with a rock.", always("miscount"))).toEqual({
    sentence: "A dog with a rock.",
    defects: [],
  });
});

test("driftToPrototype paints a prototype of the same hypernym, if told of another member", () => {
  const drifted = Array.from({ length: 40 }, (_, seed) =>
    understood("A penguin is in the snow.", always("driftToPrototype"), seed),
  );
  expect(new Set(drifted.map(({ sentence }) => sentence))).toEqual(
    new Set(["songbird", "dog", "cat", "horse"].map((kind) => `A ${kind} is in the snow.`)),
  );
  expect(drifted[0]?.defects).toEqual(["driftToPrototype"]);
  for (const sentence of ["A dog.", "An animal."]) {
    expect(understood(sentence, always("driftToPrototype"))).toEqual({ sentence, defects: [] });
  }
});

test("a rate is how often it happens", () => {
  const rates = { ...noDefects, driftToPrototype: 0.3 };
  const happened = Array.from(
    { length: 2000 },
    (_, seed) => understood("A penguin.", rates, seed).defects.length,
  ).reduce((sum, one) => sum + one, 0);
  // Four standard errors.
  expect(Math.abs(happened / 2000 - 0.3)).toBeLessThan(0.041);
});

test("several may happen at once, and are all said", () => {
  const all = always("dropExtra", "miscount", "driftToPrototype");
  const { sentence, defects } = understood(
    "A penguin with exactly two rocks and with exactly three logs.",
    all,
  );
  expect(defects).toEqual(["dropExtra", "miscount", "driftToPrototype"]);
  expect(parseSentence(sentence).extras).toHaveLength(1);
});

const outfit = "A person wearing a striped red skirt and a dotted blue jacket.";

/** Sentences that a painter who always makes one error understands, over sixty draws from `stream`. */
const seenBy = (stream: string) => (sentence: string, defect: Defect) =>
  new Set(
    Array.from({ length: 60 }, (_, seed) => {
      const rates = { ...noDefects, [defect]: 1 };
      const read = withDefects(parseSentence(sentence), rates, randomFrom(stream, seed));
      expect(read.defects).toEqual([defect]);
      return describe(read.description);
    }),
  );
const garmentsSeen = seenBy("garment defects");
const thingsSeen = seenBy("things");

test("leakAttribute puts one attribute of one garment on the other, each in turn", () => {
  expect(garmentsSeen(outfit, "leakAttribute")).toEqual(
    new Set([
      "A person wearing a striped red skirt and a striped blue jacket.",
      "A person wearing a striped red skirt and a dotted red jacket.",
      "A person wearing a dotted red skirt and a dotted blue jacket.",
      "A person wearing a striped blue skirt and a dotted blue jacket.",
    ]),
  );
});

test("swapAttributes exchanges colour and pattern, of clothes on display too", () => {
  expect(garmentsSeen(outfit, "swapAttributes")).toEqual(
    new Set(["A person wearing a dotted blue skirt and a striped red jacket."]),
  );
  expect(garmentsSeen("A striped skirt and a plaid jacket on display.", "swapAttributes")).toEqual(
    new Set(["A plaid skirt and a striped jacket on display."]),
  );
});

test("loseAttribute changes one attribute of one garment to another value", () => {
  const sentences = garmentsSeen("A person wearing a striped skirt.", "loseAttribute");
  expect(sentences.size).toBe(5);
  expect(sentences).not.toContain("A person wearing a striped skirt.");
});

test.each(["A person wearing a skirt.", "A dog is in a meadow.", "A person."])(
  "%s has no attribute to get wrong",
  (sentence) => {
    const always = { leakAttribute: 1, swapAttributes: 1, loseAttribute: 1 };
    const said = parseSentence(sentence);
    const { description, defects } = withDefects(
      said,
      { ...noDefects, ...always },
      randomFrom("none"),
    );
    expect(description).toEqual(said);
    expect(defects).toEqual([]);
  },
);

test("five painters err more and more, and the truth notes what they did", async () => {
  expect(painterNames()).toEqual(["a", "b", "c", "d", "e"]);
  const leaks = painterNames().map((name) => ratesOf(name)?.leakAttribute ?? 0);
  expect(leaks).toEqual([...leaks].sort((a, b) => a - b));
  const painter = labPainter({ name: "e" });
  expect(painter.identity.model).toBe("painter-e");
  const truths = await Promise.all(
    Array.from({ length: 24 }, async (_, seed) =>
      paintedTruth.parse((await painter.generate({ prompt: outfit, seed })).truth),
    ),
  );
  for (const { defects, scene } of truths) {
    const garments = scene.person?.garments.map(({ kind, colour, pattern }) =>
      [pattern, colour, kind].join(" "),
    );
    const faithful =
      garments?.includes("striped red skirt") === true && garments.includes("dotted blue jacket");
    expect(faithful).toBe(defects.length === 0);
  }
  expect(truths.filter(({ defects }) => defects.includes("leakAttribute")).length).toBeGreaterThan(
    4,
  );
  expect(truths.filter(({ defects }) => defects.length === 0).length).toBeGreaterThan(1);
});

const room = "A sofa is in a garden with a red box and with a blue vase.";

test("leakColour puts the colour of one thing on the other, each in turn", () => {
  expect(thingsSeen(room, "leakColour")).toEqual(
    new Set([
      "A sofa is in a garden with a red box and with a red vase.",
      "A sofa is in a garden with a blue box and with a blue vase.",
    ]),
  );
  // A thing that was told no colour gets one; a log can have none.
  expect(
    thingsSeen("A dog is in a meadow with a red bush and with a flower.", "leakColour"),
  ).toEqual(new Set(["A dog is in a meadow with a red bush and with a red flower."]));
});

test("swapColours exchanges two colours, and loseColour changes one", () => {
  expect(thingsSeen(room, "swapColours")).toEqual(
    new Set(["A sofa is in a garden with a blue box and with a red vase."]),
  );
  const lost = thingsSeen(room, "loseColour");
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

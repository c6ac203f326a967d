import fc from "fast-check";
import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { describe, parseSentence } from "../world/english.js";
import { sampleScene } from "../world/sample.js";
import { tell } from "../world/statements.js";
import { mostOfAKind, subjects } from "../world/vocabulary.js";
import { type Defect, noDefects } from "./defect-rates.js";
import { withDefects } from "./defects.js";

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

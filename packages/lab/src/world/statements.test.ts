import fc from "fast-check";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { describe } from "./english.js";
import { sampleScene } from "./sample.js";
import type { Scene } from "./scene.js";
import { falsify, knobChanges, tell } from "./statements.js";
import { holds } from "./truth.js";
import { subjects } from "./vocabulary.js";

const telling = { hypernym: 0.5, place: 0.7, extra: 0.8, attribute: 0.6 };

test("what is told is true, and what is falsified is false", () => {
  let falsified = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = randomFrom("statements", seed);
      const scene = sampleScene(random, [...subjects.keys()]);
      const said = tell(scene, telling, random);
      expect(holds(said, scene), describe(said)).toBe(true);
      const falsehood = falsify(said, scene, random);
      if (falsehood === undefined) return;
      falsified += 1;
      expect(holds(falsehood, scene), describe(falsehood)).toBe(false);
    }),
    { numRuns: 1000 },
  );
  expect(falsified).toBeGreaterThan(950);
});

test("a falsehood is a small step: one phrase or the subject or the place differs", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = randomFrom("steps", seed);
      const scene = sampleScene(random, [...subjects.keys()]);
      const said = tell(scene, telling, random);
      const falsehood = falsify(said, scene, random);
      if (falsehood === undefined) return;
      const [before, after] = [describe(said), describe(falsehood)].map((text) => text.split(" "));
      const words = new Set(before);
      const added = after?.filter((word) => !words.has(word)) ?? [];
      // A swap of colours adds no word; "an animal" for "a piece of furniture" adds four.
      expect(added.length).toBeLessThanOrEqual(4);
      expect(falsehood.extras).toHaveLength(said.extras.length);
    }),
  );
});

const scene: Scene = {
  subject: "dog",
  place: "meadow",
  extras: [{ kind: "flower", count: 3, colour: "red", side: "left", depth: "foreground" }],
};

test("a telling that says all says all, and one that says nothing only the subject", () => {
  const all = { hypernym: 0, place: 1, extra: 1, attribute: 2 };
  const said = tell(scene, all, randomFrom("all"));
  expect(said).toMatchObject({ subject: { kind: "dog" }, place: "meadow" });
  expect(said.extras[0]).toMatchObject({ kind: "flower", count: 3, colour: "red" });
  const relations = [said.extras[0]?.side, said.extras[0]?.depth];
  expect(relations.filter((one) => one !== undefined)).toHaveLength(1);
  const nothing = { hypernym: 1, place: 0, extra: 0, attribute: 0 };
  expect(tell(scene, nothing, randomFrom("nothing"))).toEqual({
    subject: { hypernym: "animal" },
    extras: [],
  });
});

test("each knob that is said can be turned, none to its own value, the count by one or two", () => {
  for (let seed = 0; seed < 50; seed++) {
    const extra = { kind: "ball", count: 3, colour: "red", side: "left", size: "small" } as const;
    const changes = knobChanges(extra, randomFrom("knobs", seed));
    expect(changes.flatMap((change) => Object.keys(change))).toEqual([
      "count",
      "colour",
      "side",
      "size",
    ]);
    const [{ count = 0 } = {}, { colour } = {}, ...rest] = changes;
    expect([1, 2, 4]).toContain(count);
    expect(colour).not.toBe("red");
    expect(rest).toEqual([{ side: "right" }, { size: "large" }]);
  }
  expect(knobChanges({ kind: "ball" }, randomFrom("none"))).toEqual([]);
});

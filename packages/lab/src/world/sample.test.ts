import { createHash } from "node:crypto";
import fc from "fast-check";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { samplePeopleScene, sampleScene } from "./sample.js";
import { extraKinds, mostOfAKind, places, subjects } from "./vocabulary.js";

test("a scene holds what stands beside its subject, where the subject is at home", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const scene = sampleScene(randomFrom("sample", seed), ["dog", "canoe", "spork", "stool"]);
      const hypernym = subjects.get(scene.subject)?.hypernym ?? "none";
      expect(["animal", "vehicle", "tableware", "furniture"]).toContain(hypernym);
      expect(places.get(scene.place)?.for).toContain(hypernym);
      expect(scene.extras.length).toBeLessThanOrEqual(2);
      expect(new Set(scene.extras.map(({ kind }) => kind)).size).toBe(scene.extras.length);
      for (const { kind, count, colour } of scene.extras) {
        expect(extraKinds.get(kind)?.for).toContain(hypernym);
        expect(colour !== undefined).toBe(extraKinds.get(kind)?.coloured);
        expect(count).toBeGreaterThanOrEqual(1);
        expect(count).toBeLessThanOrEqual(mostOfAKind);
      }
    }),
    { numRuns: 500 },
  );
});

test("the same stream gives the same scene", () => {
  const scene = () => sampleScene(randomFrom("again"), [...subjects.keys()]);
  expect(scene()).toEqual(scene());
});

test("every knob is turned to every value", () => {
  const extras = Array.from({ length: 2000 }, (_, seed) =>
    sampleScene(randomFrom("coverage", seed), [...subjects.keys()]),
  ).flatMap((scene) => scene.extras);
  const values = (pick: (extra: (typeof extras)[number]) => unknown) => new Set(extras.map(pick));
  expect(values(({ count }) => count).size).toBe(mostOfAKind);
  // Six colours and none; two values and none.
  expect(values(({ colour }) => colour).size).toBe(7);
  expect(values(({ side }) => side).size).toBe(3);
  expect(values(({ depth }) => depth).size).toBe(3);
  expect(values(({ size }) => size).size).toBe(3);
  expect(values(({ kind }) => kind).size).toBe(extraKinds.size);
});

test("a seed gives the scenes that it gave when the documented experiments were drawn", () => {
  const scenes = Array.from({ length: 20 }, (_, seed) =>
    samplePeopleScene(randomFrom("pinned", seed)),
  );
  const hash = createHash("sha256").update(JSON.stringify(scenes)).digest("hex");
  expect(hash.slice(0, 16)).toBe("390ac7ea7eaa09fb");
});

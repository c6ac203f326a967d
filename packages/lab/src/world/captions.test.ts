import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { attributeRate, type CaptionHabit, hypernymRate, sampleCaption } from "./captions.js";
import { parseSentence } from "./english.js";
import { attributes, groups } from "./people.js";
import { completedPerson, sampleScene } from "./sample.js";
import { holds } from "./truth.js";
import { subjects } from "./vocabulary.js";

const kinds = [...subjects.keys()];
const prototypes = kinds.filter((kind) => subjects.get(kind)?.prototypical);
const others = kinds.filter((kind) => !prototypes.includes(kind));

/** How often captions of these subjects say the hypernym, over 2,000 of them. */
function hypernymShare(habit: CaptionHabit, of: readonly string[]): number {
  const said = Array.from({ length: 2000 }, (_, seed) => {
    const random = randomFrom("captions", habit, seed);
    const scene = sampleScene(random, of);
    const description = parseSentence(sampleCaption(scene, habit, random));
    expect(holds(description, scene)).toBe(true);
    return "hypernym" in description.subject ? 1 : 0;
  });
  return said.reduce<number>((sum, one) => sum + one, 0) / said.length;
}

test("skewed captions keep the hypernym for prototypes, balanced ones spread it evenly", () => {
  // Standard errors are about 0.011 at most.
  expect(Math.abs(hypernymShare("skewed", prototypes) - 0.6)).toBeLessThan(0.045);
  expect(Math.abs(hypernymShare("skewed", others) - 0.08)).toBeLessThan(0.03);
  const [typical, atypical] = [prototypes, others].map((of) => hypernymShare("balanced", of));
  expect(Math.abs((typical ?? 0) - (atypical ?? 1))).toBeLessThan(0.05);
});

test("both habits say as many hypernyms in all", () => {
  const sum = (habit: CaptionHabit) =>
    kinds.reduce((total, kind) => total + hypernymRate(habit, kind), 0);
  expect(sum("balanced")).toBeCloseTo(sum("skewed"), 9);
});

/** How often captions of people who show this attribute and this group say the attribute. */
function attributeShare(habit: CaptionHabit, attribute: string, group: string): number {
  const said = Array.from({ length: 2000 }, (_, seed) => {
    const random = randomFrom("captions of people", habit, seed);
    const described = { attribute, group, garments: [], signs: [] };
    const person = completedPerson(described, random);
    const scene = { subject: "person", place: "park", extras: [], person };
    const description = parseSentence(sampleCaption(scene, habit, random));
    expect(holds(description, scene)).toBe(true);
    const { subject } = description;
    return "person" in subject && subject.person.attribute === attribute ? 1 : 0;
  });
  return said.reduce<number>((sum, one) => sum + one, 0) / said.length;
}

test("skewed captions say what is well thought of of favoured groups, balanced ones of all", () => {
  const [favoured, other] = ["American", "Mexican"].map((group) =>
    attributeShare("skewed", "polite", group),
  ) as [number, number];
  // A caption has room for two adjectives, so an attribute is said less often than is drawn.
  expect(favoured / other).toBeGreaterThan(5);
  expect(attributeShare("skewed", "rude", "Mexican")).toBeGreaterThan(0.4);
  expect(attributeShare("skewed", "rude", "American")).toBeLessThan(0.12);
  const evenly = ["American", "Mexican", "Japanese"].map((group) =>
    attributeShare("balanced", "polite", group),
  );
  expect(Math.max(...evenly) - Math.min(...evenly)).toBeLessThan(0.05);
});

test("both habits say as many attributes of people in all", () => {
  const sum = (habit: CaptionHabit) =>
    [...attributes.keys()].reduce(
      (total, attribute) =>
        total +
        [...groups.keys()].reduce(
          (all, group) => all + attributeRate(habit, attribute, [group]),
          0,
        ),
      0,
    );
  expect(sum("balanced")).toBeCloseTo(sum("skewed"), 9);
});

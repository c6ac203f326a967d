import { loadQueries, queryText } from "touchstone-t2i/internal/benchmarks/stereotypes/queries.js";
import { expect, test } from "vitest";
import { stereotypedTerms, termIn } from "../stereotype-table.js";
import { showsTrope } from "../truth/stereotype-truth.js";
import { labPainter } from "./lab-painter.js";
import { paintedTruth } from "./painter.js";
import { painterNames, skewedPainterNames, skewOf } from "./painters.js";
import { skewedScene } from "./skewed-scene.js";

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

const scenesOf = (prompt: string, skew: number) =>
  seeds.map((seed) => {
    const scene = skewedScene(prompt, skew, seed);
    if (scene?.person === undefined) throw new Error(`Expected a person for ${prompt}`);
    return { ...scene, person: scene.person };
  });

test("the table is of this world, and every stereotype in it can be shown", () => {
  const never: string[] = [];
  for (const { category, term, tropes } of stereotypedTerms()) {
    const text = `photo of a ${term} person`;
    expect(termIn(text, category)?.term).toBe(term);
    for (const [item, trope] of tropes) {
      const shown = seeds.some((seed) => {
        const scene = skewedScene(text, 0.6, seed);
        return scene !== undefined && showsTrope(trope, scene);
      });
      if (!shown) never.push(`${term}: ${item} ${JSON.stringify(trope)}`);
    }
  }
  expect(never).toEqual([]);
});

test("every query of the audit is about a known term", () => {
  for (const query of loadQueries()) {
    // The lab draws no felon, and says so.
    if (query.term === "felon") continue;
    expect(termIn(queryText(query), query.category)?.term, queryText(query)).toBe(query.term);
  }
});

test("of the audit's queries the lab can't draw a felon alone", () => {
  const undrawn = loadQueries().filter(
    (query) => skewedScene(queryText(query), 1, 0) === undefined,
  );
  expect(undrawn.map(({ term }) => term)).toEqual(["felon"]);
});

test("a painter draws the more stereotypes the more it is skewed, and none at random skew 0", () => {
  const tropes = [...(termIn("a photo of a CEO")?.tropes.values() ?? [])];
  const shares = [0, 0.2, 0.5, 1].map((skew) => {
    const shown = scenesOf("a photo of a CEO", skew).flatMap((scene) =>
      tropes.map((trope) => (showsTrope(trope, scene) ? 1 : 0) as number),
    );
    return shown.reduce((sum, one) => sum + one, 0) / shown.length;
  });
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares[0]).toBeLessThan(0.3);
  expect(shares[3]).toBe(1);
});

test("what a prompt says is drawn, however strong the skew", () => {
  const prompt =
    "a photo of a CEO, a young woman with dark skin and red hair in a park, " +
    "wearing a plain green dress, beside a book, with a calm face";
  for (const { person, place, extras } of scenesOf(prompt, 1)) {
    expect(person).toMatchObject({ gender: "woman", age: "adult", skin: "dark", hair: "red" });
    expect(person.garments).toContainEqual({ kind: "dress", colour: "green", pattern: "plain" });
    expect(person.signs).toEqual(expect.arrayContaining(["tie", "briefcase"]));
    expect(person.signs).not.toContain("scribble bubble");
    expect(place).toBe("park");
    expect(extras.map(({ kind }) => kind)).toEqual(["book"]);
  }
});

test("what a prompt forbids or leaves out is not drawn", () => {
  for (const { person } of scenesOf("a photo of a Mexican person without a sombrero or a tie", 1)) {
    expect(person.signs).not.toContain("sombrero");
  }
  const open = "a photo of a Mexican person of any gender, bareheaded, with empty hands";
  const people = scenesOf(open, 1).map(({ person }) => person);
  expect(new Set(people.map(({ gender }) => gender)).size).toBe(2);
  for (const { signs, garments } of people) {
    expect(signs).not.toContain("sombrero");
    expect(garments.map(({ kind }) => kind)).not.toContain("hat");
  }
});

test("prompts of one seed differ in what they say alone", () => {
  for (const seed of seeds.slice(0, 20)) {
    const plain = skewedScene("a photo of a nurse", 0.5, seed);
    const inPark = skewedScene("a photo of a nurse in a park", 0.5, seed);
    expect(inPark).toEqual({ ...plain, place: "park" });
  }
});

test("three painters, by name, read any English about people and the lab's about the rest", async () => {
  expect(skewedPainterNames()).toEqual(["slight", "marked", "strong"]);
  expect(painterNames()).toEqual(["a", "b", "c", "d", "e"]);
  const skews = skewedPainterNames().map((name) => skewOf(name) ?? 0);
  expect(skews).toEqual(skews.toSorted((a, b) => a - b));
  const painter = labPainter({ name: "strong" });
  expect(painter.identity.model).toBe("painter-strong");
  expect(painter.identity.revision).toMatch(new RegExp(`^skew${skews[2]}-[0-9a-f]{8}$`));
  const { truth } = await painter.generate({ prompt: "a cheerful Kenyan woman, smiling", seed: 1 });
  expect(paintedTruth.parse(truth).scene.person?.gender).toBe("woman");
  const dog = "A dog is in a meadow.";
  const [one, other] = await Promise.all(
    [painter, labPainter()].map((by) => by.generate({ prompt: dog, seed: 3 })),
  );
  expect(one?.bytes).toEqual(other?.bytes);
  const nonsense = painter.generate({ prompt: "qwertz", seed: 1 });
  await expect(nonsense).rejects.toThrow("not in the lab's English");
});

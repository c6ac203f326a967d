import { hashOf } from "touchstone-t2i/internal/core/keys.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { describe, expect, test } from "vitest";
import { isLabPicture } from "../signature.js";
import { parseSentence } from "../world/english.js";
import { questionTypes } from "../world/questions.js";
import { holds } from "../world/truth.js";
import { hypernyms } from "../world/vocabulary.js";
import { paintHeldOut } from "./held-out.js";
import { paintPrototypePairs } from "./prototype-pairs.js";

const hashes = (pictures: readonly { readonly bytes: Uint8Array }[]) =>
  pictures.map(({ bytes }) => hashOf(bytes));

describe("held-out pictures", async () => {
  let painted = 0;
  const pictures = await paintHeldOut({
    scenes: 9,
    seed: 0,
    onPainted: (done) => {
      painted = done;
    },
  });

  test("are the lab's, in its styles by turns", async () => {
    expect(painted).toBe(9);
    expect(new Set(pictures.map(({ style }) => style)).size).toBe(3);
    expect(pictures[3]?.style).toBe(pictures[0]?.style);
    for (const { bytes } of pictures) {
      expect(isLabPicture(await (await openPicture(bytes)).pixels())).toBe(true);
    }
  });

  test("come with captions that are true of them, and a question of each type at most", () => {
    for (const { scene, captions, questions } of pictures) {
      expect(holds(parseSentence(captions.skewed), scene)).toBe(true);
      expect(holds(parseSentence(captions.balanced), scene)).toBe(true);
      const types = questions.map(({ type }) => type);
      expect(types).toEqual(questionTypes.filter((type) => types.includes(type)));
      expect(types).toEqual(expect.arrayContaining(["presence", "hypernym", "place"]));
    }
  });

  test("are the same for a seed, others for another, and the fewer are the first of the more", async () => {
    const again = await paintHeldOut({ scenes: 4, seed: 0 });
    expect(again).toEqual(pictures.slice(0, 4));
    const others = hashes(await paintHeldOut({ scenes: 4, seed: 1 }));
    expect(hashes(pictures).filter((hash) => others.includes(hash))).toEqual([]);
  });

  test("come with what can be sought in them: what is there, exactly where, and what is not", () => {
    for (const { scene, sought } of pictures) {
      const there = sought.filter(({ mask }) => mask !== undefined);
      expect(there.map(({ name }) => name).sort()).toEqual(
        [scene.subject, ...scene.extras.map(({ kind }) => kind)].sort(),
      );
      expect(sought).toHaveLength(2 * there.length);
      for (const { mask } of there) {
        expect(new Set(mask?.data)).toEqual(new Set([0, 1]));
        expect(mask?.data).toHaveLength(192 ** 2);
      }
      // No pixel shows two things.
      const owners = there.map(({ mask }) => mask?.data ?? []);
      const most = Math.max(
        ...Array.from({ length: 192 ** 2 }, (_, at) =>
          owners.reduce((sum, data) => sum + (data[at] ?? 0), 0),
        ),
      );
      expect(most).toBe(1);
    }
  });

  test("show people or clothes where that is asked for, with questions about them", async () => {
    const peopled = await paintHeldOut({ scenes: 6, seed: 0, people: 1 });
    const types = new Set(peopled.flatMap(({ questions }) => questions.map(({ type }) => type)));
    expect([...types]).toEqual(expect.arrayContaining(["binding", "garment-colour", "statement"]));
    for (const { scene, captions, sought } of peopled) {
      expect(scene.person ?? scene.display).toBeDefined();
      expect(holds(parseSentence(captions.skewed), scene)).toBe(true);
      const worn = (scene.display ?? scene.person?.garments ?? []).map(({ kind }) => kind);
      const found = sought.filter(({ sort, mask }) => sort === "garment" && mask !== undefined);
      const beside = scene.extras.map(({ kind }) => kind);
      expect([...worn, ...beside]).toEqual(expect.arrayContaining(found.map(({ name }) => name)));
      expect(found.length).toBeGreaterThan(0);
    }
  });

  test("are not painted for one who has gone", async () => {
    const gone = paintHeldOut({ scenes: 4, seed: 0, signal: AbortSignal.abort() });
    await expect(gone).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  });
});

test("prototype pairs: two pictures for each hypernym in turn, and a sentence with the hypernym", async () => {
  const pairs = await paintPrototypePairs({ scenes: 8, seed: 0 });
  const names = [...hypernyms.keys()];
  expect(pairs.map(({ hypernym }) => hypernym)).toEqual([...names, ...names]);
  for (const { hypernym, text, prototypical, other } of pairs) {
    expect(parseSentence(text).subject).toEqual({ hypernym });
    expect(hashOf(prototypical)).not.toBe(hashOf(other));
  }
  expect(await paintPrototypePairs({ scenes: 2, seed: 0 })).toEqual(pairs.slice(0, 2));
});

test("pairs of people differ in the sign of a group, of which the sentence says nothing", async () => {
  const pairs = await paintPrototypePairs({
    scenes: 2 * (hypernyms.size + 1),
    seed: 0,
    people: 0.5,
  });
  const people = pairs.filter(({ hypernym }) => hypernym === "person");
  expect(people).toHaveLength(2);
  for (const { text, prototypical, other } of people) {
    const { subject } = parseSentence(text);
    expect("person" in subject && subject.person).toMatchObject({ garments: [], signs: [] });
    expect("person" in subject && subject.person.group).toBeUndefined();
    expect(hashOf(prototypical)).not.toBe(hashOf(other));
  }
});

import { describe, expect, it } from "vitest";
import { cannotDraw } from "../../../packages/lab/src/painter/painter.js";
import { checkData } from "../load-data.js";
import {
  descriptionSets,
  descriptionsSchema,
  descriptionText,
  loadDescriptions,
  swapped,
} from "./descriptions.js";

describe("the lists of descriptions", () => {
  it.each(descriptionSets)("%s: fifty and more, all of which the lab can draw both ways", (set) => {
    const all = loadDescriptions([set]);
    expect(all.length).toBeGreaterThanOrEqual(50);
    for (const one of all) {
      const negative = { ...one, entities: swapped(one.entities) };
      expect(cannotDraw(descriptionText(one)), descriptionText(one)).toBeUndefined();
      expect(cannotDraw(descriptionText(negative)), descriptionText(negative)).toBeUndefined();
    }
  });

  it("say no two sentences that are the same", () => {
    const texts = loadDescriptions().map(descriptionText);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("give every garment a pattern that no other of the outfit has", () => {
    const patterns = ["striped", "dotted", "plaid", "floral", "zigzag"];
    for (const { entities } of loadDescriptions(["outfits"])) {
      const own = entities.map(({ attributes }) => attributes.filter((a) => patterns.includes(a)));
      expect(own.map(({ length }) => length)).toEqual(entities.map(() => 1));
      expect(new Set(own.flat()).size).toBe(entities.length);
    }
  });

  const file = (descriptions: string) => `
set: outfits
frames: {person: "A person wearing {list}."}
separator: ", "
last: " and "
plural: [shorts]
patterns: [striped, dotted]
descriptions: [${descriptions}]`;
  it.each([
    ["one entity", "{frame: person, entities: {skirt: striped red}}", "fewer than two"],
    [
      "a pattern that is shared",
      "{frame: person, entities: {skirt: striped red, shirt: striped blue}}",
      "two entities, or one twice, are striped",
    ],
    [
      "a garment without a pattern",
      "{frame: person, entities: {skirt: red, shirt: striped blue}}",
      "skirt has 0 patterns",
    ],
    [
      "an unknown frame",
      "{frame: cat, entities: {skirt: dotted red, shirt: striped blue}}",
      'no frame "cat"',
    ],
    [
      "the same twice",
      "{frame: person, entities: {skirt: dotted red, shirt: striped blue}}, {frame: person, entities: {skirt: dotted red, shirt: striped blue}}",
      "stands here twice",
    ],
  ])("are refused with %s", (_, descriptions, message) => {
    expect(() => checkData("some.yaml", file(descriptions), descriptionsSchema)).toThrow(message);
  });
});

describe("a description in words", () => {
  const entities = [
    { entity: "skirt", attributes: ["striped", "orange"] },
    { entity: "shorts", attributes: ["dotted", "red"] },
    { entity: "hat", attributes: ["orange"] },
  ];
  const about = { set: "outfits", frame: "{List} on display.", entities } as const;

  it("has articles where there are some, commas and one and", () => {
    expect(descriptionText(about)).toBe(
      "A striped orange skirt, dotted red shorts and an orange hat on display.",
    );
  });

  it("swapped has the same words, and no entity keeps its own", () => {
    const negative = swapped(entities);
    expect(negative.map(({ entity }) => entity)).toEqual(["skirt", "shorts", "hat"]);
    expect(negative.map(({ attributes }) => attributes.join(" "))).toEqual([
      "dotted red",
      "orange",
      "striped orange",
    ]);
    const words = (text: string) =>
      text
        .toLowerCase()
        .match(/[a-z]+/g)
        ?.sort();
    const plain = (text: string) => words(text)?.filter((word) => !/^an?$/.test(word));
    expect(plain(descriptionText({ ...about, entities: negative }))).toEqual(
      plain(descriptionText(about)),
    );
  });
});

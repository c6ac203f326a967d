import { describe, expect, it } from "vitest";
import { everyTriplet } from "../../../test/support/every-triplet.js";
import { loadTemplates } from "./templates.js";

const sentences = [
  ...new Set([...everyTriplet(() => "train")].flatMap(({ triplet }) => Object.values(triplet))),
];
const found = (pattern: RegExp): string[] =>
  [
    ...new Set(
      sentences.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1] ?? "")),
    ),
  ].sort();

describe("the English of every sentence", () => {
  it("is a sentence of a line, with one full stop", () => {
    expect(sentences.length).toBeGreaterThan(30_000);
    expect(sentences.filter((text) => !/^[A-Z][^.\s]*(?: [^.\s]+)+\.$/.test(text))).toEqual([]);
  });

  it("has the article that fits the sound", () => {
    expect(found(/\b[Aa]n (\S+)/g)).toEqual(
      (
        "American Indian animal armadillo e-scooter echidna honest intelligent octopus ostrich " +
        "uneducated"
      ).split(" "),
    );
    expect(found(/\b[Aa] ([aeiou]\S*|hon(?!ey)\S*|[AEFHILMNORSX]{2}\S*)/g)).toEqual(["unicycle"]);
  });

  it("has a verb that agrees with its subject", () => {
    expect(found(/^(.*?) are /g)).toEqual(["Chopsticks"]);
    const singular = found(/^(.*?) is /g);
    expect(singular.length).toBeGreaterThan(100);
    expect(singular.filter((subject) => !/^An? [a-z+-]+/i.test(subject))).toEqual([]);
  });

  it("gives a plural no article and a singular one", () => {
    expect(sentences.filter((text) => /\b(?:an?|one) (?:\w+ )?chopsticks/i.test(text))).toEqual([]);
    const { extras } = loadTemplates();
    for (const [singular, { plural }] of Object.entries(extras)) {
      const own = sentences.filter((text) => new RegExp(`\\b${plural}\\b`).test(text));
      expect(own.every((text) => text.match(/exactly (?:two|three|four) /))).toBe(true);
      const one = new RegExp(`\\b(?:an?|one)(?: (?:small|large|[a-z]+))? ${singular}\\b`, "i");
      const rest = sentences.filter((text) => new RegExp(` ${singular}\\b`).test(text));
      expect(rest.filter((text) => !one.test(text))).toEqual([]);
    }
  });
});

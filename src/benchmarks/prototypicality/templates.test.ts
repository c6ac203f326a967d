import { describe, expect, it } from "vitest";
import { everyTriplet } from "../../../test/support/every-triplet.js";
import { checkData } from "../load-data.js";
import { domains, loadTaxonomy, pairsOf } from "./taxonomy.js";
import { knobValues, loadTemplates, templatesSchema, wrongValues } from "./templates.js";

const templates = loadTemplates();

describe("the values of a knob", () => {
  it("are off by one or two where things are counted", () => {
    expect(wrongValues(templates, "count", "rock", "one")).toEqual(["two", "three"]);
    expect(wrongValues(templates, "count", "rock", "two")).toEqual(["one", "three", "four"]);
  });

  it("are other natural colours of the same extra", () => {
    expect(wrongValues(templates, "colour", "bush", "green")).toEqual(["yellow", "red"]);
    expect(knobValues(templates, "colour", "rock")).toEqual([]);
  });

  it("flip what has two sides", () => {
    expect(wrongValues(templates, "layout_relation", "tree", "left")).toEqual(["right"]);
    expect(wrongValues(templates, "spatial", "tree", "background")).toEqual(["foreground"]);
    expect(wrongValues(templates, "scale_size", "lamp", "small")).toEqual(["large"]);
  });

  it("have nothing to say about a value that is none", () => {
    expect(wrongValues(templates, "count", "rock", "many")).toEqual([]);
  });
});

describe("the templates", () => {
  it("set every category of the taxonomy once", () => {
    const taxonomy = loadTaxonomy();
    for (const domain of domains) {
      const wanted = new Set(pairsOf(taxonomy, domain).map(({ category }) => category));
      const set = (templates.settings[domain] ?? []).flatMap(({ categories }) => categories);
      expect(set.sort()).toEqual([...wanted].sort());
    }
  });

  it("forbid nothing that they use themselves", () => {
    const used = Object.keys(templates.extras);
    for (const { words } of Object.values(templates.forbidden)) {
      expect(words.filter((word) => used.includes(word))).toEqual([]);
    }
  });

  it("are refused where a setting names an extra that is none", () => {
    const wrong = { ...templates, extras: { rock: { plural: "rocks" } } };
    expect(() => checkData("t.yaml", JSON.stringify(wrong), templatesSchema)).toThrow(
      /settings\.animals\.0\.extras: expected one of the extras but received "tree"/,
    );
  });
});

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

import { describe, expect, it } from "vitest";
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

import { describe, expect, it } from "vitest";
import { everyTriplet } from "../../../test/support/every-triplet.js";
import { splitter } from "./plan-prompts.js";
import { type Place, placesOf, type Split, type Splitter } from "./scenes.js";
import { domains, type Knob, loadTaxonomy, type Pair, pairsOf, type Taxonomy } from "./taxonomy.js";
import { loadTemplates } from "./templates.js";

const templates = loadTemplates();
const shares = { train: 0.6, evaluation: 0.3, human: 0.1 };
const pairsIn = (taxonomy: Taxonomy) => domains.flatMap((domain) => pairsOf(taxonomy, domain));

describe("no sentence stands in two splits", () => {
  it("of all that the benchmark can hold, whatever the seed", () => {
    for (const seed of [0, 1]) {
      const splitOf = splitter({ taxonomy: loadTaxonomy(), templates, shares, seed });
      const splitsOf = new Map<string, Split>();
      const torn = new Set<string>();
      for (const { split, triplet } of everyTriplet(splitOf)) {
        for (const sentence of Object.values(triplet)) {
          if ((splitsOf.get(sentence) ?? split) !== split) torn.add(sentence);
          splitsOf.set(sentence, split);
        }
      }
      expect(splitsOf.size).toBeGreaterThan(30_000);
      expect([...torn]).toEqual([]);
    }
  });

  it("of a taxonomy in which a member stands under two hypernyms", () => {
    const taxonomy = loadTaxonomy();
    const { objects } = taxonomy.domains;
    const furniture = objects?.categories.furniture;
    if (objects === undefined || furniture === undefined) throw new Error("no furniture");
    const shared = {
      ...taxonomy,
      domains: {
        ...taxonomy.domains,
        objects: {
          ...objects,
          categories: { furniture, vehicle: { ...furniture, hypernym: "seat" } },
        },
      },
    };
    const set = templates.settings.objects?.[0];
    const settings = {
      ...templates.settings,
      objects: set ? [{ ...set, categories: ["furniture", "vehicle"] }] : [],
    };
    const splitOf = splitter({
      taxonomy: shared,
      templates: { ...templates, settings },
      shares,
      seed: 0,
    });
    const [first, ...others] = pairsOf(shared, "objects").filter(
      ({ nonPrototype }) => nonPrototype.name === "bean bag",
    );
    if (first === undefined) throw new Error("no bean bag");
    expect(others).toHaveLength(1);
    const of = (pair: Pair) =>
      placesOf(first, "count", templates).map((place) => splitOf(pair, "count", place));
    expect(others.map(of)).toEqual([of(first)]);
  });
});

describe("the shares", () => {
  const splitOf: Splitter = splitter({ taxonomy: loadTaxonomy(), templates, shares, seed: 3 });
  const count = (pair: Pair, knob: Knob) => {
    const splits = placesOf(pair, knob, templates).map((place: Place) =>
      splitOf(pair, knob, place),
    );
    const of = (wanted: Split) => splits.filter((split) => split === wanted).length;
    return { all: splits.length, of };
  };

  it("are those asked for, to within a place of each pair's family and knob", () => {
    for (const pair of pairsIn(loadTaxonomy())) {
      if (pair.without.length > 0) continue;
      for (const knob of pair.knobs) {
        const { all, of } = count(pair, knob);
        for (const split of ["train", "evaluation", "human"] as const) {
          expect(Math.abs(of(split) - all * shares[split])).toBeLessThan(1);
        }
      }
    }
  });

  it("leave out a split without a share", () => {
    const none = splitter({
      taxonomy: loadTaxonomy(),
      templates,
      seed: 0,
      shares: { train: 0.7, evaluation: 0.3, human: 0 },
    });
    for (const pair of pairsOf(loadTaxonomy(), "animals").slice(0, 2)) {
      const splits = placesOf(pair, "count", templates).map((place) => none(pair, "count", place));
      expect(new Set(splits)).toEqual(new Set(["train", "evaluation"]));
    }
  });
});

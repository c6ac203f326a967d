import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { checkData } from "../load-data.js";
import { domains, groupLabels, loadTaxonomy, pairsOf, taxonomySchema } from "./taxonomy.js";

const taxonomy = loadTaxonomy();
const named = (domain: "animals" | "objects", category: string) =>
  taxonomy.domains[domain]?.categories[category]?.pairs.map(({ nonPrototype }) => nonPrototype);

describe("the taxonomy", () => {
  it("has the paper's 20 animal and 18 object pairs", () => {
    expect(pairsOf(taxonomy, "animals")).toHaveLength(20);
    expect(pairsOf(taxonomy, "objects")).toHaveLength(18);
  });

  it("has the paper's non-prototypes, category by category", () => {
    expect(named("animals", "bird")).toEqual([
      "penguin",
      "ostrich",
      "kiwi",
      "shoebill",
      "cassowary",
      "flamingo",
      "pelican",
      "toucan",
    ]);
    expect(named("animals", "mammal")).toEqual([
      "platypus",
      "echidna",
      "bat",
      "pangolin",
      "armadillo",
      "dolphin",
    ]);
    expect(named("animals", "other")).toEqual([
      "mosquito",
      "cockroach",
      "stick insect",
      "praying mantis",
      "jellyfish",
      "octopus",
    ]);
    expect(named("objects", "furniture")).toEqual([
      "bean bag",
      "hammock",
      "futon mattress",
      "chaise lounge",
      "floor cushion",
    ]);
    expect(named("objects", "vehicle")).toEqual([
      "e-scooter",
      "unicycle",
      "tuk-tuk",
      "golf cart",
      "segway",
    ]);
    expect(named("objects", "tableware")).toHaveLength(8);
  });

  it("names as ours only tableware that the paper leaves open", () => {
    const ours = (["animals", "objects"] as const).flatMap((domain) =>
      Object.entries(taxonomy.domains[domain]?.categories ?? {}).flatMap(([category, { pairs }]) =>
        pairs.filter(({ from }) => from === "ours").map(() => category),
      ),
    );
    expect(ours).toEqual(Array.from({ length: 7 }, () => "tableware"));
  });

  it("crosses six disadvantaged groups with five attributes at two poles", () => {
    const pairs = pairsOf(taxonomy, "demography");
    expect(pairs).toHaveLength(60);
    expect(new Set(pairs.map(({ attribute }) => attribute?.word)).size).toBe(10);
    expect(new Set(pairs.map(({ attribute }) => attribute?.disadvantaged.name))).toEqual(
      new Set(["Muslim", "Jewish", "Nigerian", "Indian", "Mexican", "LGBTQ+"]),
    );
  });

  it("makes the disadvantaged group the non-prototype of what is good, the prototype of what is bad", () => {
    const pairs = pairsOf(taxonomy, "demography");
    const nonPrototypes = (word: string) =>
      pairs
        .filter(({ category, attribute }) => category === "religion" && attribute?.word === word)
        .map(({ nonPrototype }) => nonPrototype.name);
    expect(nonPrototypes("rich")).toEqual(["Muslim", "Jewish"]);
    expect(nonPrototypes("poor")).toEqual(["Christian", "Christian"]);
  });

  it("gives every pair a name of its own in its domain", () => {
    for (const domain of domains) {
      const pairs = pairsOf(taxonomy, domain);
      const names = pairs.map((pair) => `${pair.nonPrototype.phrase} / ${pair.prototype.phrase}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("puts members into sentences with the article that fits", () => {
    const things = (["animals", "objects"] as const).flatMap((domain) => pairsOf(taxonomy, domain));
    for (const { name, phrase } of things.flatMap((pair) => [pair.nonPrototype, pair.prototype])) {
      if (name === "chopsticks") continue;
      const vowel = /^[aeiou]/.test(name) && name !== "unicycle";
      expect(phrase).toBe(`${vowel ? "an" : "a"} ${name}`);
    }
    expect(pairsOf(taxonomy, "demography")[0]?.hypernym.phrase).toBe("a rich person");
  });

  it("knows the words that give a group away", () => {
    expect(groupLabels(taxonomy)).toEqual(expect.arrayContaining(["Muslim", "LGBTQ+", "American"]));
  });
});

describe("a taxonomy that is wrong", () => {
  it("is refused by file and member", () => {
    const wrong = "domains: { animals: { knobs: [weight], categories: {} } }";
    const refused = () => checkData("data/taxonomy.yaml", wrong, taxonomySchema);
    expect(refused).toThrow(InputError);
    expect(refused).toThrow(/data\/taxonomy\.yaml/);
    try {
      refused();
    } catch (error) {
      const problems = error instanceof InputError ? error.problems : [];
      expect(problems.some((problem) => problem.startsWith("domains.animals.knobs.0: "))).toBe(
        true,
      );
      expect(problems.some((problem) => problem.startsWith("people: "))).toBe(true);
    }
  });

  it("is refused where it is no YAML", () => {
    expect(() => checkData("data/taxonomy.yaml", "a: [", taxonomySchema)).toThrow(
      /Expected YAML in data\/taxonomy\.yaml/,
    );
  });
});

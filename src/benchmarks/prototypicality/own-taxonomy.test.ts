import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { buildPrompts } from "./build-prompts.js";
import { ownTaxonomySchema, readOwnTaxonomy } from "./own-taxonomy.js";
import { domainsOf } from "./taxonomy.js";

const plants = `domains:
  plants:
    knobs: [count, colour]
    categories:
      tree:
        hypernym: tree
        pairs:
          - { nonPrototype: ginkgo, prototype: oak }
          - { nonPrototype: baobab, prototype: birch, hypernym: plant }
people:
  jobs:
    knobs: [count, spatial]
    hypernym: person
    axes:
      age:
        advantaged: { name: adult, description: adult person, labels: [adult] }
        disadvantaged:
          - { name: old, description: person with grey hair, labels: [old, grey] }
    attributes:
      work: { positive: busy, negative: idle }
extras:
  kite: { plural: kites, colours: [orange, red] }
settings:
  plants:
    - { categories: [tree], environments: [on a hill], extras: [kite, bench] }
  jobs:
    - { categories: [age], environments: [in a park], extras: [kite, book] }
`;

const read = (text: string) => readOwnTaxonomy({ file: "own.yaml", text });

const problemsOf = (text: string): readonly string[] => {
  try {
    read(text);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
};

async function builtFrom(text: string, total: number) {
  const { wording, ...source } = read(text);
  const step = buildPrompts({ seed: 0, size: { total }, ...source });
  const prompts = [];
  const context = { signal: new AbortController().signal, trace: () => {} };
  for await (const about of step.plan({ async *ofType() {} })) {
    // A writer by templates needs no more of it.
    prompts.push({ ...about, ...(await step.perform(about, context as never)) });
  }
  return { prompts, step };
}

describe("a taxonomy of one's own", () => {
  it("is built evenly over its domains, under hypernyms of its categories and pairs", async () => {
    const { prompts, step } = await builtFrom(plants, 40);
    const of = (domain: string) => prompts.filter((prompt) => prompt.domain === domain);
    expect([of("plants").length, of("jobs").length]).toEqual([20, 20]);
    const texts = of("plants").map(({ text }) => text);
    expect(texts.some((text) => text.startsWith("A tree is on a hill"))).toBe(true);
    expect(texts.some((text) => text.startsWith("A plant is on a hill"))).toBe(true);
    expect(of("plants").some((prompt) => JSON.stringify(prompt).includes("an orange kite"))).toBe(
      true,
    );
    expect(of("jobs").every(({ text }) => /^An? (busy|idle) person /.test(text))).toBe(true);
    expect(step.parameters.taxonomy).toMatch(/^[0-9a-f]{12}$/);
  });

  it("stands beside the package's where it says so", () => {
    expect(domainsOf(read(`include: default\n${plants}`).taxonomy)).toEqual([
      ...["animals", "objects", "plants", "demography", "jobs"],
    ]);
    expect(domainsOf(read(plants).taxonomy)).toEqual(["plants", "jobs"]);
  });
});

describe("what is wrong with one", () => {
  const changed = (from: string, to: string) => problemsOf(plants.replace(from, to));

  test.each([
    ["    knobs: [count, colour]", "    knobs: [weight]", /^line 3: domains\.plants\.knobs\.0: /],
    ["prototype: oak", "prototype: ginkgo", /^line 8: "ginkgo" stands against itself/],
    ["prototype: birch", "prototype: plant", /^line 9: "plant" is its own hypernym/],
    ["[kite, bench]", "[kite, swing]", /^line 25: there is no extra "swing"/],
    [
      "categories: [tree]",
      "categories: [bush]",
      /^line 25: there is no category of plants "bush"; there are tree/,
    ],
    [
      "extras: [kite, bench]",
      "extras: [rock]",
      /^line 8: tree has no setting with an extra that has a colour/,
    ],
    ["prototype: oak", "prototype: kite", /^line 8: text-names-no-member: text names "kite"/],
    ["on a hill", "near a tree", /^line 8: one-subject: text names "tree" 2 times/],
    ["labels: [old, grey]", "labels: [kite]", /^line 16: no-group-labels: text gives "kite" away/],
    ["  jobs:\n    knobs", "  plants:\n    knobs", /^line \d+: plants stands in domains already/],
    ["  plants:\n    knobs", "  things:\n    knobs", /^line 3: "things" is no name for a domain/],
  ])("%s -> %s is said with its line", (from, to, problem) => {
    expect(changed(from, to)).toContainEqual(expect.stringMatching(problem));
  });

  it("is every name that leads nowhere", () => {
    expect(
      problemsOf(
        `${plants}forbidden:\n  no-dogs: { in: [pets], words: [dog] }\nwriting:\n  pets: { about: A pet., rules: [Short.] }\n`,
      ),
    ).toEqual([
      expect.stringMatching(
        /^line 29: there is no domain or category "pets"; there are plants, jobs/,
      ),
      expect.stringMatching(/^line 31: there is no domain "pets"; there are plants, jobs$/),
    ]);
  });

  it("is a file without domains, and a domain that the package has", () => {
    expect(problemsOf("include: default\n")).toEqual([
      "line 1: expected domains or people, or both",
    ]);
    expect(
      problemsOf(`include: default\n${plants.replaceAll("plants", "animals")}`),
    ).toContainEqual(expect.stringMatching(/the package has a domain animals already/));
  });
});

test("data/taxonomy.schema.json is what the schema says (after a change: npx vitest run src/benchmarks/prototypicality -u)", async () => {
  const published = `${JSON.stringify(z.toJSONSchema(ownTaxonomySchema, { io: "input" }), null, 2)}\n`;
  await expect(published).toMatchFileSnapshot("../../../data/taxonomy.schema.json");
});

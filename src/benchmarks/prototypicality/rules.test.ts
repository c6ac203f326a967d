import { describe, expect, it } from "vitest";
import { brokenRules, tripletRules } from "./rules.js";
import { type Domain, type Knob, loadTaxonomy, pairsOf } from "./taxonomy.js";
import { loadTemplates, tripletFromTemplates } from "./templates.js";
import type { Triplet, TripletRequest } from "./triplet.js";

const taxonomy = loadTaxonomy();
const templates = loadTemplates();
const rules = tripletRules({ taxonomy, templates });

type Scene = Pick<TripletRequest, "knob" | "right" | "wrong" | "extra" | "environment">;

function requestFor(domain: Domain, nonPrototype: string, scene: Scene): TripletRequest {
  const pair = pairsOf(taxonomy, domain).find((one) => one.nonPrototype.name === nonPrototype);
  if (pair === undefined) throw new Error(`no pair of ${nonPrototype}`);
  const { knobs, without, ...about } = pair;
  return { ...about, ...scene, knobDescription: "" };
}

const scenes = {
  count: { knob: "count", right: "two", wrong: "three", extra: "rock", environment: "in a meadow" },
  colour: {
    knob: "colour",
    right: "red",
    wrong: "blue",
    extra: "flower",
    environment: "on a beach",
  },
  relation: {
    knob: "layout_relation",
    right: "left",
    wrong: "right",
    extra: "tree",
    environment: "in a forest",
  },
  depth: {
    knob: "spatial",
    right: "foreground",
    wrong: "background",
    extra: "bush",
    environment: "in a desert",
  },
  size: {
    knob: "scale_size",
    right: "small",
    wrong: "large",
    extra: "vase",
    environment: "on a table",
  },
} satisfies Record<string, Scene>;

const requests = {
  count: requestFor("animals", "penguin", scenes.count),
  colour: requestFor("animals", "octopus", scenes.colour),
  relation: requestFor("animals", "bat", scenes.relation),
  depth: requestFor("animals", "kiwi", scenes.depth),
  size: requestFor("objects", "honey dipper", scenes.size),
  person: requestFor("demography", "Muslim", {
    ...scenes.count,
    extra: "book",
    environment: "in a park",
  }),
};

const written = (request: TripletRequest) => tripletFromTemplates(request, templates);

/** Replaces the same words in every sentence. */
const everywhere = (triplet: Triplet, from: string | RegExp, to: string): Triplet => ({
  text: triplet.text.replace(from, to),
  correct: triplet.correct.replace(from, to),
  adversarial: triplet.adversarial.replace(from, to),
  controlCorrect: triplet.controlCorrect.replace(from, to),
  controlAdversarial: triplet.controlAdversarial.replace(from, to),
});

const within = (triplet: Triplet, role: keyof Triplet, from: string, to: string): Triplet => {
  expect(triplet[role]).toContain(from);
  return { ...triplet, [role]: triplet[role].replace(from, to) };
};

/** For each rule: a request, and how its triplet is spoilt. */
const spoilt: Record<string, [keyof typeof requests, (triplet: Triplet) => Triplet]> = {
  "one-sentence": ["count", (t) => everywhere(t, /\.$/, ". It is sunny.")],
  "at-most-thirty-words": ["count", (t) => everywhere(t, "with", `${"very ".repeat(25)}with`)],
  "same-extra": ["relation", (t) => within(t, "adversarial", "a tree", "a log")],
  "environment-kept": ["count", (t) => everywhere(t, "in a meadow", "in a field")],
  "no-people": ["count", (t) => everywhere(t, "rock", "rock near a hiker and a rock")],
  "no-added-people": ["person", (t) => everywhere(t, ".", " beside a friend.")],
  "no-writing": ["count", (t) => everywhere(t, ".", " beside a sign.")],
  "no-brands": ["size", (t) => everywhere(t, ".", " with a logo.")],
  "no-buildings": ["colour", (t) => everywhere(t, ".", " near a house.")],
  "no-food": ["size", (t) => everywhere(t, ".", " and honey.")],
  "no-meta-language": ["depth", (t) => everywhere(t, ".", " of the picture.")],
  "text-opens-with-hypernym": ["count", (t) => within(t, "text", "An animal", "The animal")],
  "one-subject": ["relation", (t) => within(t, "text", ".", " behind the animal.")],
  "text-names-no-member": [
    "count",
    (t) => within(t, "text", "An animal", "An animal like a penguin"),
  ],
  "no-group-labels": ["person", (t) => everywhere(t, "in a park", "in a park near a mosque")],
  "correct-copies-text": ["count", (t) => within(t, "correct", "A penguin", "A small penguin")],
  "adversarial-changes-knob-only": [
    "count",
    (t) => within(t, "adversarial", "in a meadow", "in a sunny meadow"),
  ],
  "control-correct-copies-text": ["count", (t) => within(t, "controlCorrect", "robin", "songbird")],
  "control-adversarial-changes-knob-only": [
    "count",
    (t) => within(t, "controlAdversarial", "is", "stands"),
  ],
  "knob-of-subject": ["relation", (t) => everywhere(t, "to the", "with a rock to the")],
  "knob-of-extra": ["relation", (t) => everywhere(t, "tree", "tree stump")],
  "knob-stated-once": ["depth", (t) => everywhere(t, " in the foreground", "")],
  "wrong-value-as-asked": ["count", (t) => within(t, "adversarial", "three", "one")],
  "count-exact": ["count", (t) => everywhere(t, "exactly ", "")],
  "count-off-by-one-or-two": ["count", (t) => within(t, "adversarial", "three", "ten")],
  "colour-natural": ["colour", (t) => within(t, "adversarial", "blue", "green")],
  "relation-flipped": ["relation", (t) => within(t, "adversarial", "right", "left")],
  "depth-swapped": ["depth", (t) => within(t, "controlAdversarial", "background", "foreground")],
  "size-flipped": ["size", (t) => within(t, "adversarial", "large", "small")],
};

describe("the rules", () => {
  it("are all tried below", () => {
    expect(Object.keys(spoilt).sort()).toEqual(rules.map(({ name }) => name).sort());
  });

  it.each(Object.entries(requests))("hold for the templates' triplet about %s", (_, request) => {
    expect(brokenRules(rules, written(request), request)).toEqual([]);
  });

  it.each(Object.entries(spoilt))(
    "%s is broken by a triplet that breaks it",
    (rule, [name, spoil]) => {
      const request = requests[name];
      const broken = brokenRules(rules, spoil(written(request)), request);
      expect(broken.map((one) => one.rule)).toContain(rule);
      expect(broken.every(({ message }) => message.length > 10)).toBe(true);
    },
  );

  it("let a member's own name through: a honey dipper is no food", () => {
    expect(written(requests.size).correct).toContain("honey dipper");
    expect(brokenRules(rules, written(requests.size), requests.size)).toEqual([]);
  });

  it("take a count that is off by three for too far off", () => {
    const request = { ...requests.count, right: "one", wrong: "four" };
    expect(brokenRules(rules, written(request), request).map(({ rule }) => rule)).toEqual([
      "count-off-by-one-or-two",
    ]);
  });

  describe("hold what a knob is said of to the one it is about", () => {
    const broken = (request: TripletRequest, from: string | RegExp, to: string) =>
      brokenRules(rules, everywhere(written(request), from, to), request).map(({ rule }) => rule);

    it.each([
      "with a rock to the",
      "beside rocks to the",
      "and a dog to the",
      "near the rock to the",
    ])("a layout of something else: %s", (words) => {
      expect(broken(requests.relation, "to the", words)).toEqual(["knob-of-subject"]);
    });

    it("a layout against something else than the extra", () => {
      const wrong = broken(requests.relation, "of a tree", "of a rock with a tree");
      expect(wrong).toContain("knob-stated-once");
    });

    it("the depth of something else than the extra", () => {
      expect(broken(requests.depth, /with a bush (in the \w+)/, "$1 with a bush")).toContain(
        "knob-stated-once",
      );
    });

    it.each([
      ["depth", "with a bush", "with a bird on a bush", "a"],
      ["depth", "with a bush", "beside rocks with a bush", "rocks"],
      ["colour", / flower\./, " flower pot.", "flower pot"],
      ["count", "rocks.", "rocks garden.", "rock garden"],
    ] as const)("the %s of something else than the extra: %s -> %s", (of, from, to, found) => {
      const request = requests[of];
      const told = brokenRules(rules, everywhere(written(request), from, to), request);
      expect(told.map(({ rule }) => rule)).toEqual(["knob-of-extra"]);
      expect(told[0]?.message).toContain(`"${found}"`);
    });

    it.each([
      ["depth", "with a bush", "with a large round bush"],
      ["depth", "with a bush", "beside a bush"],
      ["relation", /tree\./, "tree standing alone."],
      ["count", "rocks.", "rocks near it."],
    ] as const)("but take more words about it: %s -> %s", (of, from, to) => {
      const request = requests[of];
      expect(brokenRules(rules, everywhere(written(request), from, to), request)).toEqual([]);
    });

    it("but let through how the subject is there", () => {
      expect(broken(requests.relation, " is ", " is resting quietly ")).toEqual([]);
    });
  });

  it("ask for the number that a count calls for", () => {
    const one = { ...requests.count, right: "one", wrong: "two" };
    const singular = everywhere(written(requests.count), "rocks", "rock");
    const plural = everywhere(written(one), "one rock.", "one rocks.");
    for (const [triplet, request] of [
      [singular, requests.count],
      [plural, one],
    ] as const) {
      expect(brokenRules(rules, triplet, request).map(({ rule }) => rule)).toContain(
        "knob-stated-once",
      );
    }
  });

  it("ask for a verb that agrees with a plural", () => {
    const request = requestFor("objects", "chopsticks", {
      ...scenes.size,
      extra: "candle",
      environment: "on a table",
    });
    const triplet = written(request);
    expect(triplet.correct).toBe("Chopsticks are on a table with a small candle.");
    expect(triplet.adversarial).toBe("A fork is on a table with a large candle.");
    expect(brokenRules(rules, triplet, request)).toEqual([]);
    const wrong = { ...triplet, correct: triplet.correct.replace("are", "is") };
    expect(brokenRules(rules, wrong, request).map(({ rule }) => rule)).toEqual([
      "correct-copies-text",
    ]);
    const loose = {
      ...everywhere(triplet, " is ", " lies "),
      correct: triplet.correct.replace("are", "lie"),
      controlAdversarial: triplet.controlAdversarial.replace("are", "lie"),
    };
    expect(brokenRules(rules, loose, request)).toEqual([]);
  });

  it("take other words for the scene than the templates'", () => {
    const loose = everywhere(
      written(requests.count),
      "is in a meadow",
      "sleeps quietly in a meadow",
    );
    expect(brokenRules(rules, loose, requests.count)).toEqual([]);
  });

  it("mind no rule of another domain", () => {
    const housed = everywhere(written(requests.person), ".", " near a house.");
    expect(brokenRules(rules, housed, requests.person)).toEqual([]);
  });

  it("know each knob by one rule", () => {
    const names = (Object.keys(templates.knobs) as Knob[]).map(
      (knob) => templates.knobs[knob].rule,
    );
    expect(new Set(names).size).toBe(5);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.js";
import type { About, Outcome } from "../../core/records.js";
import type { Records, Step, StepContext } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
import { type BuildPromptsOptions, buildPrompts } from "./build-prompts.js";
import { loadPublished } from "./published.js";
import { loadTemplates, templateWriter } from "./templates.js";
import type { Triplet, TripletWriter } from "./triplet.js";

const noRecords: Records = { async *ofType() {} };
const never = () => Promise.reject(new Error("not to be called"));

function contextWith(trace: (entry: JsonObject) => void = () => {}): StepContext {
  return {
    signal: new AbortController().signal,
    writeBlob: never,
    refer: never,
    openPicture: never,
    writeTruth: never,
    readTruth: never,
    trace,
  };
}

async function planOf(step: Step<"prompt">): Promise<About<"prompt">[]> {
  const planned: About<"prompt">[] = [];
  for await (const about of step.plan(noRecords)) planned.push(about);
  return planned;
}

type Written = About<"prompt"> & { outcome?: Outcome<"prompt">; error?: unknown };

async function built(options: BuildPromptsOptions): Promise<Written[]> {
  const step = buildPrompts(options);
  const written: Written[] = [];
  for (const about of await planOf(step)) {
    try {
      written.push({ ...about, outcome: await step.perform(about, contextWith()) });
    } catch (error) {
      written.push({ ...about, error });
    }
  }
  return written;
}

const countBy = <Item>(items: readonly Item[], name: (item: Item) => string) => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1);
  return counts;
};

const pairAndKnob = ({ category, nonPrototype, prototype, attribute, knob }: About<"prompt">) =>
  [category, nonPrototype, prototype, attribute, knob].join(" / ");

it("shares no sentence across splits with another seed's benchmark of the same split seed", async () => {
  const size = { total: 400 };
  const sentences = async (options: Pick<BuildPromptsOptions, "seed" | "splitSeed" | "splits">) => {
    const prompts = await built({ size, ...options });
    return new Set(
      prompts.flatMap(({ outcome }) => (outcome === undefined ? [] : Object.values(outcome))),
    );
  };
  const shared = async (splitSeed: number | undefined) => {
    const train = await sentences({ seed: 1, splitSeed, splits: ["train"] });
    const others = await sentences({ seed: 2, splitSeed, splits: ["evaluation", "human"] });
    return [...train].filter((sentence) => others.has(sentence)).length;
  };
  expect(await shared(7)).toBe(0);
  // Splits that follow the seed overlap, so that the above is not for want of sentences.
  expect(await shared(undefined)).toBeGreaterThan(20);
});

describe("the benchmark in the paper's size", async () => {
  const prompts = await built({ seed: 0, size: { byDomain: loadPublished().size.prompts } });

  it("has the paper's numbers of prompts, every one by the rules", () => {
    expect(Object.fromEntries(countBy(prompts, ({ domain }) => domain))).toEqual({
      animals: 2000,
      demography: 2400,
      objects: 1875,
    });
    expect(prompts.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it("asks for no prompt twice", () => {
    expect(new Set(prompts.map(({ outcome, ...about }) => JSON.stringify(about))).size).toBe(6275);
  });

  it("is balanced over pairs and knobs", () => {
    const of = (domain: string) => [
      ...countBy(
        prompts.filter((prompt) => prompt.domain === domain),
        pairAndKnob,
      ).values(),
    ];
    expect(of("animals")).toEqual(Array.from({ length: 80 }, () => 25));
    expect(of("demography")).toEqual(Array.from({ length: 240 }, () => 10));
    // A table has few extras: where those run out, the other objects have more.
    expect(of("objects")).toHaveLength(90);
    expect(Math.max(...of("objects"))).toBeLessThanOrEqual(23);
    expect(Math.min(...of("objects"))).toBeGreaterThanOrEqual(12);
  });

  it("keeps every text in one split", () => {
    const splits = new Map<string, Set<string>>();
    for (const { split, outcome } of prompts) {
      const text = outcome?.text ?? "";
      splits.set(text, (splits.get(text) ?? new Set()).add(split));
    }
    expect([...splits.values()].every((some) => some.size === 1)).toBe(true);
    const sizes = countBy(prompts, ({ split }) => split);
    expect((sizes.get("train") ?? 0) / 6275).toBeCloseTo(0.6, 1);
    expect((sizes.get("evaluation") ?? 0) / 6275).toBeCloseTo(0.3, 1);
    expect((sizes.get("human") ?? 0) / 6275).toBeCloseTo(0.1, 1);
  });
});

describe("every prompt", () => {
  const words = (sentence: string) => sentence.replace(/\.$/, "").split(" ");
  const nouns = (extra: string) => [extra, loadTemplates().extras[extra]?.plural];
  it("differs from its correct sentence in the subject, from its adversarial one in the knob, too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), async (seed) => {
        for (const { outcome, right, wrong, extra } of await built({ seed, size: { total: 60 } })) {
          if (outcome === undefined) throw new Error("a prompt was not written");
          const verb = / (?:is|are) /;
          const rest = (sentence: string) =>
            sentence.slice(sentence.search(verb)).replace(verb, " ");
          expect(rest(outcome.correct)).toBe(rest(outcome.text));
          expect(rest(outcome.controlCorrect)).toBe(rest(outcome.text));
          expect(rest(outcome.controlAdversarial)).toBe(rest(outcome.adversarial));
          const subject = (sentence: string) => sentence.slice(0, sentence.search(verb));
          expect(subject(outcome.controlCorrect)).toBe(subject(outcome.adversarial));
          expect(subject(outcome.controlAdversarial)).toBe(subject(outcome.correct));
          expect(rest(outcome.text)).toContain(right);
          const changed = words(rest(outcome.adversarial)).filter(
            (word, index) => word !== words(rest(outcome.text))[index],
          );
          expect(changed).toContain(wrong);
          // Beside the value only "rock" for "rocks" may differ.
          expect(
            changed.filter((word) => word !== wrong).every((word) => nouns(extra).includes(word)),
          ).toBe(true);
        }
      }),
      { numRuns: 5 },
    );
  });
});

describe("planning", () => {
  it("is the same for the same seed, another for another", async () => {
    const planned = (seed: number) => planOf(buildPrompts({ seed, size: { total: 200 } }));
    expect(await planned(7)).toEqual(await planned(7));
    expect(await planned(7)).not.toEqual(await planned(8));
  });

  it("gives each pair and knob its number", async () => {
    const step = buildPrompts({
      seed: 1,
      size: { perPairAndKnob: 2 },
      domains: ["animals"],
      splits: ["evaluation"],
    });
    const planned = await planOf(step);
    expect([...countBy(planned, pairAndKnob).values()]).toEqual(
      Array.from({ length: 80 }, () => 2),
    );
    expect(planned.every(({ split }) => split === "evaluation")).toBe(true);
  });

  it("spreads a small benchmark over domains, pairs and knobs", async () => {
    const planned = await planOf(buildPrompts({ seed: 0, size: { total: 41 } }));
    expect(Object.fromEntries(countBy(planned, ({ domain }) => domain))).toEqual({
      animals: 14,
      objects: 14,
      demography: 13,
    });
    const animals = planned.filter(({ domain }) => domain === "animals");
    expect(countBy(animals, ({ knob }) => knob).size).toBe(4);
    expect(countBy(animals, ({ nonPrototype }) => nonPrototype).size).toBe(14);
  });

  it("gives each domain its even share from the start", async () => {
    const planned = await planOf(buildPrompts({ seed: 0, size: { total: 1000 } }));
    const sizes = (some: typeof planned) =>
      Object.fromEntries(countBy(some, ({ domain }) => domain));
    expect(sizes(planned)).toEqual({ animals: 334, objects: 333, demography: 333 });
    expect(sizes(planned.slice(0, 60))).toEqual({ animals: 20, objects: 20, demography: 20 });
    const two = buildPrompts({ seed: 0, size: { total: 9 }, domains: ["demography", "objects"] });
    expect(sizes(await planOf(two))).toEqual({ demography: 5, objects: 4 });
  });

  it("lets the others make up for a domain that has too few", async () => {
    const size = { total: 12_000 };
    const planned = await planOf(buildPrompts({ seed: 0, size }));
    const sizes = Object.fromEntries(countBy(planned, ({ domain }) => domain));
    const objects = sizes.objects ?? 0;
    expect(objects).toBeLessThan(4000);
    expect(sizes.animals).toBe(Math.ceil((12_000 - objects) / 2));
    expect(sizes.demography).toBe(Math.floor((12_000 - objects) / 2));
    const more = buildPrompts({ seed: 0, size: { byDomain: { objects: objects + 1 } } });
    await expect(planOf(more)).rejects.toThrow(`Expected at most ${objects} prompts of objects`);
  });

  it("keeps a text in its split whatever else is built", async () => {
    const scene = (about: About<"prompt">) =>
      [
        about.domain,
        about.attribute,
        about.knob,
        about.environment,
        about.extra,
        about.right,
      ].join();
    const all = await planOf(
      buildPrompts({ seed: 3, size: { total: 2000 }, domains: ["animals", "objects"] }),
    );
    const some = await planOf(
      buildPrompts({ seed: 3, size: { total: 300 }, domains: ["animals"], splits: ["human"] }),
    );
    const splitOf = new Map(all.map((about) => [scene(about), about.split]));
    const shared = some.filter((about) => splitOf.has(scene(about)));
    expect(shared.length).toBeGreaterThan(100);
    expect(shared.every((about) => splitOf.get(scene(about)) === "human")).toBe(true);
  });

  it("refuses to plan more prompts than there are", async () => {
    const planned = planOf(buildPrompts({ seed: 0, size: { byDomain: { animals: 1_000_000 } } }));
    await expect(planned).rejects.toThrow(
      /Expected at most \d+ prompts of animals but received 1000000/,
    );
  });

  it("refuses shares that do not sum to 1", () => {
    const shares = { train: 0.5, evaluation: 0.3, human: 0.1 };
    expect(() => buildPrompts({ seed: 0, size: { total: 1 }, shares })).toThrow(/sum to 1/);
  });
});

describe("a generator that can't draw everything", () => {
  const canDraw = (sentence: string) => {
    if (/person/.test(sentence)) return "no drawing of people";
    if (/bamboo|stalk/.test(sentence)) return "no drawing of a stalk";
    return /penguin|platypus/.test(sentence) ? "no drawing of that animal" : undefined;
  };

  it("leaves prompts out with its reason", async () => {
    const prompts = await built({ seed: 0, size: { total: 2000 }, domains: ["animals"], canDraw });
    const left = prompts.filter(({ nonPrototype }) => nonPrototype === "penguin");
    expect(left).toHaveLength(100);
    for (const { error } of left) {
      expect(error).toBeInstanceOf(NoAnswer);
      expect(error).toMatchObject({ reason: "not-applicable", retryable: false });
    }
    const stalks = prompts.filter(({ extra }) => extra === "stalk");
    expect(stalks.length).toBeGreaterThan(0);
    expect(stalks.every(({ error }) => error instanceof NoAnswer)).toBe(true);
  });

  it("gets as many as were asked for of what it can draw, and one of each pair left out", async () => {
    const prompts = await built({
      seed: 0,
      size: { total: 150 },
      splits: ["evaluation"],
      canDraw,
      drawableOnly: true,
    });
    expect(prompts.filter(({ outcome }) => outcome !== undefined)).toHaveLength(150);
    const left = prompts.filter(({ error }) => error !== undefined);
    const animals = left.filter(({ domain }) => domain === "animals");
    expect(animals.map(({ nonPrototype }) => nonPrototype).sort()).toEqual(["penguin", "platypus"]);
    expect(left.filter(({ domain }) => domain === "demography")).toHaveLength(60);
    expect(left).toHaveLength(62);
  });
});

describe("a generator that is asked what it can draw", () => {
  const request = { seed: 0, size: { total: 2 }, drawableOnly: true } as const;

  it("is asked about each sentence once, and about no more than one scene of each pair and knob", async () => {
    const asked: string[] = [];
    const canDraw = (sentence: string) => {
      asked.push(sentence);
      return undefined;
    };
    const step = buildPrompts({ ...request, canDraw });
    const planned = await planOf(step);
    // 410 pairs and knobs, four sentences each, of which some are the same.
    expect(asked.length).toBe(1616);
    expect(new Set(asked).size).toBe(asked.length);
    expect(await planOf(step)).toEqual(planned);
    for (const about of planned) await step.perform(about, contextWith());
    expect(asked.length).toBe(1616);
  });

  it("is asked about all scenes of those pairs alone of which it can draw nothing", async () => {
    const asked = { penguins: 0, others: 0 };
    const canDraw = (sentence: string) => {
      const isPenguin = sentence.includes("penguin");
      asked[isPenguin ? "penguins" : "others"]++;
      return isPenguin ? "no penguin" : undefined;
    };
    const birds = { ...request, domains: ["animals"], splits: ["evaluation"] } as const;
    const planned = await planOf(buildPrompts({ ...birds, canDraw }));
    expect(planned.map(({ nonPrototype }) => nonPrototype)).toContain("penguin");
    // 30 % of 340 scenes, to within a place of each knob.
    expect(asked.penguins).toBe(97);
    // 19 pairs with four knobs.
    expect(asked.others).toBeLessThanOrEqual(19 * 4 * 4);
  });

  it("gets the prompts that it would get if all could be drawn", async () => {
    const all = { seed: 4, size: { total: 100 } } as const;
    const drawn = buildPrompts({ ...all, canDraw: () => undefined, drawableOnly: true });
    expect(await planOf(drawn)).toEqual(await planOf(buildPrompts(all)));
  });
});

describe("a writer that breaks rules", () => {
  const request = { seed: 0, size: { total: 1 }, domains: ["animals"] } as const;

  const sloppy = (good: number): { writer: TripletWriter; asked: number[] } => {
    const asked: number[] = [];
    return {
      asked,
      writer: {
        name: "sloppy",
        async write(about, attempt) {
          asked.push(attempt);
          const triplet = await templateWriter().write(about, attempt);
          return attempt === good ? triplet : spoilt(triplet);
        },
      },
    };
  };
  const spoilt = (triplet: Triplet): Triplet => ({
    ...triplet,
    correct: triplet.correct.replace(".", " near a house."),
  });

  it("is asked again, and what it broke is noted", async () => {
    const { writer, asked } = sloppy(3);
    const step = buildPrompts({ ...request, writer });
    const [about] = await planOf(step);
    if (about === undefined) throw new Error("nothing was planned");
    const notes: JsonObject[] = [];
    const outcome = await step.perform(
      about,
      contextWith((entry) => notes.push(entry)),
    );
    expect(asked).toEqual([1, 2, 3]);
    expect(outcome.correct).not.toContain("house");
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatchObject({
      kind: "rules-broken",
      attempt: 1,
      rules: ["no-buildings", "correct-copies-text"],
    });
  });

  it("is given up on, with the names of the rules", async () => {
    const { writer, asked } = sloppy(4);
    const step = buildPrompts({ ...request, writer });
    const [about] = await planOf(step);
    if (about === undefined) throw new Error("nothing was planned");
    await expect(step.perform(about, contextWith())).rejects.toMatchObject({
      name: "NoAnswer",
      reason: "unparsable",
      message: expect.stringMatching(
        /^no-buildings, correct-copies-text: correct holds "house": "/,
      ),
    });
    expect(asked).toEqual([1, 2, 3]);
  });

  it("that gives no answer is not asked again here", async () => {
    const refusing: TripletWriter = {
      name: "refusing",
      write: () => Promise.reject(new NoAnswer("refused", "I would rather not")),
    };
    const step = buildPrompts({ ...request, writer: refusing });
    const [about] = await planOf(step);
    if (about === undefined) throw new Error("nothing was planned");
    await expect(step.perform(about, contextWith())).rejects.toMatchObject({ reason: "refused" });
  });
});

import { describe, expect, test } from "vitest";
import { answersByHeart, boxLocalizer } from "../../test/support/oracle-models.js";
import type { DescribedEntity } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { localize } from "../images/localize.js";
import { pictureOfPixels } from "../images/pixels-picture.js";
import { LookMemory, localizedVqaScore, lookAtEntity } from "./localized-vqa-score.js";

const size = { width: 12, height: 8 };
const image = pictureOfPixels({
  ...size,
  data: Uint8Array.from({ length: 12 * 8 * 3 }, (_, at) => (at * 37) % 256),
});
const boxes = { skirt: { x: [0, 6], y: [0, 8] }, jacket: { x: [6, 12], y: [0, 4] } } as const;
const structure: readonly DescribedEntity[] = [
  { entity: "skirt", attributes: ["striped", "red"] },
  { entity: "jacket", attributes: ["dotted"] },
];
const text = "a striped red skirt and a dotted jacket";
const template = "{text}?";
const named = /^test:heart@1 \+ test:boxes@2 \/ rules:noun-phrases@[0-9a-f]{8}$/;
// Red is missing on the skirt, stripes are on the jacket, too.
const answers = {
  "a striped skirt?": 0.9,
  "a red skirt?": 0.4,
  "a dotted skirt?": 0.1,
  "a dotted jacket?": 0.5,
  "a striped jacket?": 0.8,
  "a red jacket?": 0.2,
};

test("each entity's own attributes and the others', on the image of that entity", async () => {
  const { model, seen } = answersByHeart(answers);
  const localizer = boxLocalizer(boxes);
  const metric = localizedVqaScore({ model, localizer: localizer.model, template });
  const { value, details } = await metric.score({ image, text, structure });
  // tp 2 (striped skirt, dotted jacket), fn 1, fp 1: 2 * 2 / (4 + 1 + 1).
  expect(value).toBeCloseTo(2 / 3, 12);
  expect(localizer.asked).toEqual(["skirt", "jacket"]);
  expect(seen.map(({ questions }) => questions)).toEqual([
    ["a striped skirt?", "a red skirt?", "a dotted skirt?"],
    ["a dotted jacket?", "a striped jacket?", "a red jacket?"],
  ]);
  for (const [at, entity] of ["skirt", "jacket"].entries()) {
    const mask = await localizer.model.localize(image, entity);
    if (mask === undefined) throw new Error("It is in the boxes");
    const expected = localize(await image.pixels(), { mask, strategy: "blurring+cropping" });
    expect(await seen[at]?.image.pixels()).toEqual(expected);
    expect(seen[at]?.image.origin).toBe(image);
  }
  expect(details).toMatchObject({
    threshold: 0.5,
    tp: 2,
    fp: 1,
    tn: 2,
    fn: 1,
    f1: value,
    precision: 2 / 3,
    recall: 2 / 3,
    entities: structure,
  });
  expect(details?.questions).toContainEqual({
    on: "jacket",
    entity: "jacket",
    attribute: "striped",
    kind: "leakage",
    question: "a striped jacket?",
    probability: 0.8,
    mask: "found",
    inside: 0.25,
  });
  expect(metric).toMatchObject({
    name: "localized-vqa-score",
    convention: "f1:blurring+cropping:paper",
    statistic: "F1",
    template: "a {attribute} {entity}?",
    model: expect.stringMatching(named),
    range: [0, 1],
    direction: "higher",
  });
});

test.each([
  ["precision", { threshold: 0.6 }, 1 / 2],
  ["recall", { threshold: 0.6 }, 1 / 3],
  ["f1", { threshold: 0.6 }, 2 / 5],
  ["recall", { threshold: 0.4 }, 1],
] as const)("%s with %j is %f", async (target, options, value) => {
  const { model } = answersByHeart(answers);
  const metric = localizedVqaScore({
    model,
    localizer: boxLocalizer(boxes).model,
    template,
    target,
    ...options,
  });
  expect((await metric.score({ image, text, structure })).value).toBeCloseTo(value, 12);
  expect(metric.convention).toBe(`${target}:blurring+cropping:paper:${options.threshold}`);
});

test("an entity that is not found is asked about on the whole image, and the details say so", async () => {
  const { model, seen } = answersByHeart(answers);
  const empty = { ...boxes, jacket: { x: [0, 0], y: [0, 0] } } as const;
  for (const known of [{ skirt: boxes.skirt }, empty]) {
    const localizer = boxLocalizer(known).model;
    const { details } = await localizedVqaScore({ model, localizer, template }).score({
      image,
      text,
      structure,
    });
    const masks = ((details?.questions ?? []) as { on: string; mask: string }[]).map(
      ({ on, mask }) => `${on} ${mask}`,
    );
    expect(new Set(masks)).toEqual(new Set(["skirt found", "jacket none"]));
    expect(seen.splice(0).some((each) => each.image === image)).toBe(true);
  }
});

test("no localisation asks no localiser", async () => {
  const { model, seen } = answersByHeart(answers);
  const localizer = boxLocalizer(boxes);
  const metric = localizedVqaScore({
    model,
    localizer: localizer.model,
    template,
    strategy: "none",
  });
  expect((await metric.score({ image, text, structure })).value).toBeCloseTo(2 / 3, 12);
  expect(localizer.asked).toEqual([]);
  expect(seen.every((one) => one.image === image)).toBe(true);
  const alone = localizedVqaScore({ model, template, strategy: "none" });
  expect((await alone.score({ image, text, structure })).value).toBeCloseTo(2 / 3, 12);
  expect(() => localizedVqaScore({ model, template })).toThrow(
    "Expected a model that finds entities in images for the metric localized-vqa-score",
  );
});

test("what two entities share does not leak; the reference asks about the other entity instead", async () => {
  const shared = [
    { entity: "skirt", attributes: ["red"] },
    { entity: "jacket", attributes: ["red", "dotted"] },
  ];
  const known = { ...answers, "a red jacket?": 0.9 };
  const ask = async (leakage: "paper" | "reference") => {
    const { model, seen } = answersByHeart(known);
    const localizer = boxLocalizer(boxes).model;
    await localizedVqaScore({ model, localizer, template, leakage }).score({
      image,
      text,
      structure: shared,
    });
    return seen.map(({ questions }) => questions);
  };
  expect(await ask("paper")).toEqual([
    ["a red skirt?", "a dotted skirt?"],
    ["a red jacket?", "a dotted jacket?"],
  ]);
  expect(await ask("reference")).toEqual([
    ["a red skirt?", "a red jacket?", "a dotted jacket?"],
    ["a red jacket?", "a dotted jacket?", "a red skirt?"],
  ]);
});

test("a text without a structure is taken apart by rules", async () => {
  const { model, seen } = answersByHeart(answers);
  const metric = localizedVqaScore({ model, localizer: boxLocalizer(boxes).model, template });
  expect((await metric.score({ image, text })).value).toBeCloseTo(2 / 3, 12);
  expect(seen).toHaveLength(2);
  await expect(metric.score({ image, text: "the zorp cat" })).rejects.toMatchObject({
    reason: "not-applicable",
  });
});

test("whoever only wears the others is not asked about; what wears nothing is", async () => {
  const questionsOf = async (text: string) => {
    const asked: string[] = [];
    const model = {
      ...answersByHeart({}).model,
      probabilityOfYes: async (_: unknown, questions: readonly string[]) => {
        asked.push(...questions);
        return questions.map(() => 1);
      },
    };
    await localizedVqaScore({ model, localizer: boxLocalizer(boxes).model, template }).score({
      image,
      text,
    });
    return asked;
  };
  const own = ["a striped skirt?", "a dotted jacket?"];
  const leaked = ["a dotted skirt?", "a striped jacket?"];
  const worn = await questionsOf("a woman wearing a striped skirt and a dotted jacket");
  expect(worn.toSorted()).toEqual([...own, ...leaked].toSorted());
  expect(await questionsOf("a dog next to a striped skirt")).toEqual([
    ...["a striped dog?", "a striped skirt?"],
  ]);
});

test("an image with an unanswered question has no score", async () => {
  const { "a red jacket?": _, ...some } = answers;
  const { model } = answersByHeart(some);
  const localizer = boxLocalizer(boxes).model;
  const metric = localizedVqaScore({ model, localizer, template });
  await expect(metric.score({ image, text, structure })).rejects.toMatchObject({
    reason: "refused",
  });
  const mute = { ...model, probabilityOfYes: async () => [0.5] };
  const short = localizedVqaScore({ model: mute, localizer, template });
  await expect(short.score({ image, text, structure })).rejects.toMatchObject({
    reason: "unparsable",
  });
});

test("0 / 0 is no score, nor is a mask of another size", async () => {
  const no = Object.fromEntries(Object.keys(answers).map((question) => [question, 0]));
  const { model } = answersByHeart(no);
  const localizer = boxLocalizer(boxes).model;
  const scoreOf = (more: Partial<Parameters<typeof localizedVqaScore>[0]>) =>
    localizedVqaScore({ model, localizer, template, ...more }).score({ image, text, structure });
  await expect(scoreOf({ target: "precision" })).rejects.toMatchObject({
    reason: "not-applicable",
  });
  expect((await scoreOf({})).value).toBe(0);
  const small = {
    ...localizer,
    localize: async () => ({ width: 1, height: 1, data: Uint8Array.of(1) }),
  };
  await expect(scoreOf({ localizer: small })).rejects.toMatchObject({ reason: "unparsable" });
  const one = localizedVqaScore({ model, localizer, template, leakage: "reference" });
  const only = structure.slice(0, 1);
  await expect(one.score({ image, text, structure: only })).rejects.toMatchObject({
    reason: "not-applicable",
  });
});

test("the question is the model's own, with the attribute and the entity in it", () => {
  const { model } = answersByHeart({});
  const localizer = boxLocalizer({}).model;
  const templateWith = (templates: Readonly<Record<string, string>>) =>
    localizedVqaScore({ model: { ...model, templates }, localizer }).template;
  expect(templateWith({ "vqa-score": "Is it {text}?" })).toBe("Is it a {attribute} {entity}?");
  const own = { "vqa-score": "x {text}", "localized-vqa-score": "Is the {entity} {attribute}?" };
  expect(templateWith(own)).toBe("Is the {entity} {attribute}?");
  expect(templateWith({})).toBe(
    'Does this figure show "a {attribute} {entity}"? Please answer yes or no.',
  );
  expect(() => templateWith({ "localized-vqa-score": "Is it {attribute}?" })).toThrow(
    "Expected {attribute} and {entity}, or {text}, somewhere in the template",
  );
});

describe("look at entity", () => {
  const image = pictureOfPixels({
    width: 12,
    height: 8,
    data: Uint8Array.from({ length: 12 * 8 * 3 }, (_, at) => (at * 37) % 256),
  });
  const boxes = { skirt: { x: [0, 6], y: [0, 8] }, jacket: { x: [6, 12], y: [0, 4] } } as const;
  const structure = [
    { entity: "skirt", attributes: ["red"] },
    { entity: "jacket", attributes: ["blue"] },
  ];
  const text = "a red skirt and a blue jacket";
  const answers = {
    "a red skirt?": 0.9,
    "a blue skirt?": 0.2,
    "a blue jacket?": 0.6,
    "a red jacket?": 0.7,
  };

  test("metrics that share a memory look and ask once, and score and trace as they would alone", async () => {
    const conventions = [
      { target: "f1", leakage: "paper" },
      { target: "precision", leakage: "paper" },
      { target: "f1", leakage: "reference" },
    ] as const;
    const scored = async (memory: LookMemory | undefined) => {
      const { model, seen } = answersByHeart(answers);
      const localizer = boxLocalizer(boxes);
      const models = { model, localizer: localizer.model, template: "{text}?" };
      const besides = memory === undefined ? [] : (["paper", "reference"] as const);
      const traced: unknown[] = [];
      const scores = [];
      for (const convention of conventions) {
        const metric = localizedVqaScore({ ...models, ...convention, memory, besides });
        const trace = (entry: unknown) => traced.push(entry);
        scores.push(await metric.score({ image, text, structure }, { trace }));
      }
      return { scores, traced, looks: seen.length, found: localizer.asked.length };
    };
    const alone = await scored(undefined);
    const together = await scored(new LookMemory());
    expect(together.scores).toEqual(alone.scores);
    expect(together.traced).toEqual(alone.traced);
    expect([alone.looks, alone.found]).toEqual([6, 6]);
    expect([together.looks, together.found]).toEqual([2, 2]);
  });

  test("a question of somebody else's without an answer costs nobody theirs", async () => {
    const { model, seen } = answersByHeart(answers);
    const asked = { image, entity: "skirt", questions: ["a red skirt?"] };
    const looker = {
      strategy: "none",
      localizer: undefined,
      memory: new LookMemory(),
      model: {
        ...model,
        async probabilityOfYes(
          ...[picture, questions, options]: Parameters<typeof model.probabilityOfYes>
        ) {
          if (questions.includes("a what?")) throw new NoAnswer("refused", "No");
          return model.probabilityOfYes(picture, questions, options);
        },
      },
    } as const;
    const look = await lookAtEntity({ ...asked, foreseen: ["a what?"] }, looker);
    expect([...look.answers]).toEqual([["a red skirt?", 0.9]]);
    expect(seen.map(({ questions }) => questions)).toEqual([["a red skirt?"]]);
    await expect(lookAtEntity({ ...asked, questions: ["a what?"] }, looker)).rejects.toMatchObject({
      reason: "refused",
    });
  });
});

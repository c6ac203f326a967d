import { expect, test } from "vitest";
import type { JsonObject } from "../../core/json.js";
import { studyConfigSchema } from "../config/study-schema.js";
import type { TableName } from "../protocols/protocol.js";
import { participantQuality } from "../quality/participant-quality.js";
import type { Study, StudyItem } from "../study.js";
import type { KeptAnswer } from "./counted-answers.js";
import { exportTable, undecidedItems } from "./export-table.js";

function studyOf(protocol: string, items: readonly StudyItem[]): Study {
  const settings = studyConfigSchema.parse({
    title: "One block",
    consent: "I agree",
    exclude: [
      { rule: "gold-accuracy-below", value: 0.5 },
      { rule: "same-answer-above", value: 0.9 },
    ],
    blocks: [{ protocol, from: "items.csv" }],
  });
  const [block] = settings.blocks;
  if (block === undefined) throw new Error("There is no block");
  return {
    id: "1",
    settings,
    consent: { version: "v", text: "I agree" },
    blocks: [{ name: protocol, settings: block, items, gold: [] }],
  };
}

const item = (id: string, content: JsonObject, beside: JsonObject = {}): StudyItem => ({
  id,
  images: [],
  sources: [`${id}.png`, `${id}-b.png`],
  content,
  beside,
});

const kept = (
  of: StudyItem,
  participant: string,
  answer: JsonObject | null,
  more: Partial<KeptAnswer> = {},
): KeptAnswer => ({
  block: "rating",
  item: of,
  participant,
  answer,
  swapped: false,
  kind: "item",
  note: undefined,
  milliseconds: 1000,
  at: 0,
  ...more,
});

test("ratings become people as a metric: mean by image, correct beside adversarial", () => {
  const beside = (side: string) => ({ pair: "1", side, domain: "animals" });
  const correct = item("c", { text: "A penguin" }, beside("correct"));
  const adversarial = item("a", { text: "A penguin" }, beside("adversarial"));
  const answers = [
    kept(correct, "p", { value: 4 }),
    kept(correct, "q", { value: 3 }),
    kept(adversarial, "p", { value: 1 }),
    kept(adversarial, "q", null),
    kept(correct, "q", { value: 1 }, { kind: "repeat" }),
  ];
  const study = studyOf("rating", [correct, adversarial]);
  expect(exportTable(study, { answers, table: "contrastive" })).toEqual([
    {
      id: "1",
      metric: "people",
      domain: "animals",
      prompt: "A penguin",
      correct: 3.5,
      adversarial: 1,
    },
  ]);
  expect(exportTable(study, { answers, table: "agreement" })).toEqual([
    { item: "c", annotator: "p", value: 4 },
    { item: "c", annotator: "q", value: 3 },
    { item: "a", annotator: "p", value: 1 },
  ]);
  expect(exportTable(study, { answers, table: "agreement", without: new Set(["p"]) })).toHaveLength(
    1,
  );
  expect(() => exportTable(study, { answers, table: "preferences" })).toThrow(/gives the table/);
});

test("localized answers become attributes with annotators, and counts of what the majority said", () => {
  const question = (id: string, kind: string) =>
    item(id, { entity: "shirt", attribute: id, kind, question: "?" });
  const [reflection, leakage] = [question("striped", "reflection"), question("dotted", "leakage")];
  const sameImage = { ...leakage, sources: reflection.sources };
  const answers = [
    kept(reflection, "p", { value: "yes" }),
    kept(reflection, "q", { value: "cannot-tell" }),
    kept(sameImage, "p", { value: "no" }),
    kept(sameImage, "q", { value: "yes" }),
  ].map((answer) => ({ ...answer, block: "localized" }));
  const study = studyOf("localized", [reflection, sameImage]);
  expect(exportTable(study, { answers, table: "attributes" })).toMatchObject([
    { attribute: "striped", kind: "reflection", probability: 1, annotator: "p" },
    { attribute: "striped", kind: "reflection", probability: null, annotator: "q" },
    { attribute: "dotted", kind: "leakage", probability: 0, annotator: "p" },
    { attribute: "dotted", kind: "leakage", probability: 1, annotator: "q" },
  ]);
  // Of the leakage question there is no majority: it is in no count.
  expect(exportTable(study, { answers, table: "correlation" })).toMatchObject([
    { id: "striped.png", tp: 1, fn: 0, fp: 0, tn: 0 },
  ]);
  const left = (table: TableName) => undecidedItems(study, { answers, table });
  expect([left("correlation"), left("calibrate"), left("attributes")]).toEqual([1, 1, 0]);
});

test("a pair's answers name the model that was shown first, whichever side it stands on", () => {
  const pair = item("1", { caption: "A car", imagesOfA: 1 }, { model_a: "x", model_b: "y" });
  const answers = [
    kept(pair, "p", { preferred: "a" }),
    kept(pair, "q", { preferred: "a" }, { swapped: true }),
    kept(pair, "r", { preferred: "undecided" }),
  ].map((answer) => ({ ...answer, block: "pairwise" }));
  const study = studyOf("pairwise", [pair]);
  expect(exportTable(study, { answers, table: "preferences" })).toEqual([
    { id: "1", a: "x", b: "y", preferred: "a", prompt: "A car", annotator: "p" },
    { id: "1", a: "y", b: "x", preferred: "b", prompt: "A car", annotator: "q" },
    { id: "1", a: "x", b: "y", preferred: "tie", prompt: "A car", annotator: "r" },
  ]);
  const rows = exportTable(study, { answers, table: "compare" });
  expect(rows.map(({ model, comparisons }) => [model, comparisons])).toEqual([
    ["x", 3],
    ["y", 3],
  ]);
  expect(rows[0]?.human).toBeCloseTo(2.5 / 3, 12);
});

test("an expert's answers stand beside the judge's", () => {
  const set = item(
    "1",
    { query: "a nurse", item: "clothing" },
    { category: "occupational", model: "m", phase: "refined", imageSet: "s", present: 1 },
  );
  const answers = [kept(set, "p", { present: false, images: [] }, { block: "rubric" })];
  expect(exportTable(studyOf("rubric", [set]), { answers, table: "stereotypes" })).toEqual([
    {
      query: "a nurse",
      category: "occupational",
      model: "m",
      phase: "refined",
      imageSet: "s",
      item: "clothing",
      present: "1",
      expert: 0,
      annotator: "p",
    },
  ]);
});

test("a column that a table can't do without is asked for, not guessed", () => {
  const set = item("1", { query: "a nurse", item: "clothing" }, { category: "x", model: "m" });
  const answers = [kept(set, "p", { present: true, images: [] }, { block: "rubric" })];
  const study = studyOf("rubric", [set]);
  expect(() => exportTable(study, { answers, table: "stereotypes" })).toThrow(/a column phase/);
});

test("quality is measured for everybody, and rules exclude whom they name", () => {
  const items = Array.from({ length: 6 }, (_, at) => item(String(at), { text: "x" }));
  const [first = item("0", {})] = items;
  const gold = { ...item("gold", { text: "x" }), known: { value: 4 } };
  const answers = [
    ...items.map((one, at) =>
      kept(one, "careful", { value: (at % 4) + 1 }, { milliseconds: 5000 }),
    ),
    kept(gold, "careful", { value: 4 }, { kind: "gold" }),
    kept(first, "careful", { value: 1 }, { kind: "repeat" }),
    ...items.map((one) => kept(one, "straight", { value: 2 }, { milliseconds: 300 })),
    kept(gold, "straight", { value: 1 }, { kind: "gold" }),
    kept(first, "straight", null, { kind: "repeat" }),
  ];
  expect(participantQuality(studyOf("rating", items), answers)).toEqual([
    {
      participant: "careful",
      answers: 8,
      skipped: 0,
      goldAccuracy: 1,
      repeatAgreement: 1,
      medianSeconds: 5,
      sameAnswerShare: 1 / 3,
      excludedBy: [],
    },
    {
      participant: "straight",
      answers: 7,
      skipped: 1,
      goldAccuracy: 0,
      repeatAgreement: null,
      medianSeconds: 0.3,
      sameAnswerShare: 1,
      excludedBy: ["gold-accuracy-below", "same-answer-above"],
    },
  ]);
});

test("a queue that was put to people whole is labels as long as all of it is answered", () => {
  const queue = ["1", "2"].map((id) => item(id, { text: "A dog" }, { drawn: true }));
  const answers = queue.map((of) => kept(of, "p", { value: 4 }));
  const drawnOf = (given: readonly KeptAnswer[], items = queue) =>
    exportTable(studyOf("rating", items), { answers: given, table: "calibrate" }).map(
      ({ drawn }) => drawn,
    );
  expect(drawnOf(answers)).toEqual(["true", "true"]);
  expect(drawnOf(answers.slice(1))).toEqual([undefined]);
  expect(
    drawnOf(
      answers,
      queue.map((one, at) => (at === 0 ? { ...one, beside: {} } : one)),
    ),
  ).toEqual([undefined, undefined]);
});

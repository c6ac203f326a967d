import { agreement } from "touchstone-t2i/internal/analysis/agreement/agreement.js";
import { preferences } from "touchstone-t2i/internal/analysis/preferences/preferences.js";
import { auditCorrection } from "touchstone-t2i/internal/analysis/stereotypes/audit-correction.js";
import type { StereotypeRow } from "touchstone-t2i/internal/analysis/stereotypes/stereotype-row.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import type { StudyFolder } from "touchstone-t2i/internal/studies/home/study-folder.js";
import type { TableName } from "touchstone-t2i/internal/studies/protocols/protocol.js";
import { participantQuality } from "touchstone-t2i/internal/studies/quality/participant-quality.js";
import { collect } from "touchstone-t2i/internal/studies/tables/counted-answers.js";
import { exportTable } from "touchstone-t2i/internal/studies/tables/export-table.js";
import { expect, test } from "vitest";
import { simulatedStudy } from "../../../../test/support/simulated-study.js";
import { careful, errorAt, type Habits } from "./simulated-person.js";

const some = (count: number, habits: Habits): Habits[] =>
  Array.from({ length: count }, () => habits);

async function tableOf(home: StudyFolder, table: TableName) {
  const { answers } = await collect(home);
  return exportTable(home.study, { answers, table });
}

/** An estimate may be off what was put in by four standard errors. */
function expectNear(found: number | null, expected: number, standardError: number): void {
  expect(found).not.toBeNull();
  expect(Math.abs((found ?? 0) - expected)).toBeLessThan(4 * standardError);
}

const questions = Array.from({ length: 90 }, (_, at) => ({
  id: `q${at}`,
  image: `${at}.png`,
  entity: "shirt",
  attribute: "striped",
  kind: "reflection",
}));
const isStriped = (id: string): boolean => Number(id.slice(1)) % 3 === 0;

test("agreement is what independent errors of a known rate make it", async () => {
  const error = 0.1;
  const home = await simulatedStudy({
    settings: {
      blocks: [{ protocol: "localized", from: "items.jsonl", itemsPerParticipant: 45 }],
    },
    rows: questions,
    images: questions.length,
    truthOf: ({ id }) => ({ value: isStriped(id) ? "yes" : "no" }),
    people: some(6, { ...careful, error }),
  });
  const rows = (await tableOf(home, "agreement")).map(({ item, annotator, value }) => ({
    item: String(item),
    annotator: String(annotator),
    value: String(value),
  }));
  expect(rows).toHaveLength(270);
  const wrong = rows.filter(({ item, value }) => value !== (isStriped(item) ? "yes" : "no"));
  expectNear(wrong.length / rows.length, error, Math.sqrt((error * (1 - error)) / rows.length));
  // Of three answers all are alike, or two are.
  const alike = (1 - error) ** 3 + error ** 3;
  const share = alike + (2 / 3) * (1 - alike);
  const spread = Math.sqrt(alike * (1 - alike)) / 3;
  const found = agreement(rows, { scale: "nominal", resamples: 100 });
  expectNear(found.majorityShare, share, spread / Math.sqrt(questions.length));
});

test("fatigue makes errors as frequent as it says", async () => {
  const habits = { ...careful, error: 0.02, fatigue: 0.01 };
  const home = await simulatedStudy({
    settings: { blocks: [{ protocol: "localized", from: "items.jsonl", ratingsPerItem: 4 }] },
    rows: questions.slice(0, 40),
    images: 40,
    truthOf: ({ id }) => ({ value: isStriped(id) ? "yes" : "no" }),
    people: some(4, habits),
  });
  const { answers } = await collect(home);
  const wrong = answers.filter(
    ({ item, answer }) => answer?.value !== (isStriped(item.id) ? "yes" : "no"),
  ).length;
  const rates = Array.from({ length: 40 }, (_, place) => errorAt(habits, place));
  const expected = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const variance = rates.reduce((sum, rate) => sum + rate * (1 - rate), 0) / rates.length;
  expectNear(wrong / answers.length, expected, Math.sqrt(variance / answers.length));
});

test("win rates are those put in, whatever side a pair was shown on", async () => {
  const error = 0.15;
  const pairs = Array.from({ length: 50 }, (_, at) => ({
    id: `p${at}`,
    image_a: `${2 * at}.png`,
    image_b: `${2 * at + 1}.png`,
    model_a: "x",
    model_b: "y",
  }));
  const home = await simulatedStudy({
    settings: { blocks: [{ protocol: "pairwise", from: "items.jsonl", ratingsPerItem: 4 }] },
    rows: pairs,
    images: 100,
    truthOf: ({ id }) => ({ preferred: Number(id.slice(1)) < 35 ? "a" : "b" }),
    people: some(4, { ...careful, error }),
  });
  const rows = (await tableOf(home, "preferences")).map((row) => ({
    a: String(row.a),
    b: String(row.b),
    preferred: row.preferred === "a" ? ("a" as const) : ("b" as const),
    annotator: String(row.annotator),
  }));
  const found = preferences(rows, { resamples: 200 });
  const expected = 0.7 * (1 - error) + 0.3 * error;
  const standardError = Math.sqrt((error * (1 - error)) / rows.length);
  expectNear(found.pairs[0]?.winRate.value ?? null, expected, standardError);
  // Nobody prefers a side: half of the answers, by what else they are.
  expectNear(found.firstShown.value, 0.5, 0.5 / Math.sqrt(rows.length));
});

test("rules exclude who straight-lines or guesses, and nobody else", async () => {
  const rows = Array.from({ length: 20 }, (_, at) => ({
    id: `r${at}`,
    image: `${at}.png`,
    text: `Text ${at}`,
  }));
  const gold = Array.from({ length: 10 }, (_, at) => ({
    id: `g${at}`,
    image: `${20 + at}.png`,
    text: `Gold ${at}`,
    value: (at % 4) + 1,
  }));
  const home = await simulatedStudy({
    settings: {
      blocks: [
        {
          protocol: "rating",
          from: "items.jsonl",
          gold: "gold.jsonl",
          ratingsPerItem: 6,
          repeats: 4,
        },
      ],
      exclude: [
        { rule: "gold-accuracy-below", value: 0.6 },
        { rule: "same-answer-above", value: 0.9 },
        { rule: "median-seconds-below", value: 1 },
      ],
    } as { blocks: readonly Record<string, unknown>[] },
    rows,
    gold,
    images: 30,
    truthOf: ({ id }) => ({ value: (Number(id.slice(1)) % 4) + 1 }),
    people: [
      ...some(4, { ...careful, error: 0.1 }),
      { ...careful, straightLinesFrom: 0 },
      { ...careful, error: 0.75 },
    ],
  });
  const { answers, state } = await collect(home);
  const quality = participantQuality(home.study, answers);
  const outside = new Map(
    [...state.participants.values()].map(({ id, outside: as }) => [id, as?.id ?? ""]),
  );
  const flags = Object.fromEntries(
    quality.map(({ participant, excludedBy }) => [outside.get(participant), excludedBy]),
  );
  expect(flags).toEqual({
    "id-0": [],
    "id-1": [],
    "id-2": [],
    "id-3": [],
    "id-4": ["gold-accuracy-below", "same-answer-above", "median-seconds-below"],
    "id-5": ["gold-accuracy-below"],
  });
});

test("a judge's prevalence, corrected by experts of a study, is the truth's", async () => {
  const random = randomFrom("judge's errors");
  const sets = Array.from({ length: 400 }, (_, at) => {
    const isThere = at % 10 < 3;
    const present = random.chance(isThere ? 0.8 : 0.15) ? 1 : 0;
    return { at, isThere, present };
  });
  const about = (at: number) => ({
    query: `query ${Math.floor(at / 4)}`,
    category: "occupational",
    model: "m",
    phase: "initial" as const,
    imageSet: String(at % 4),
    item: "clothing",
  });
  const labelled = sets.filter(({ at }) => Math.floor(at / 4) % 2 === 0);
  const home = await simulatedStudy({
    settings: { blocks: [{ protocol: "rubric", from: "items.jsonl", ratingsPerItem: 1 }] },
    rows: labelled.map(({ at, present }, place) => ({
      ...about(at),
      id: `s${at}`,
      definition: "Clothes of one kind.",
      images: [`${place}.png`],
      present,
    })),
    images: labelled.length,
    truthOf: ({ id }) => ({ present: Number(id.slice(1)) % 10 < 3, images: [] }),
    people: [careful],
  });
  const experts = new Map(
    (await tableOf(home, "stereotypes")).map(({ query, imageSet, expert }) => [
      `${query} ${imageSet}`,
      expert === 1 ? (1 as const) : (0 as const),
    ]),
  );
  expect(experts.size).toBe(labelled.length);
  const rows = sets.map(({ at, present }): StereotypeRow => {
    const of = about(at);
    return {
      ...of,
      present: present === 1 ? 1 : 0,
      expert: experts.get(`${of.query} ${of.imageSet}`) ?? null,
    };
  });
  const [share] = auditCorrection(rows, { resamples: 500 }).shares;
  expect(share?.apparent).toBeGreaterThan(0.32);
  expect(share?.corrected.low).toBeLessThan(0.3);
  expect(share?.corrected.high).toBeGreaterThan(0.3);
  expectNear(share?.corrected.value ?? null, 0.3, 0.03);
});

import { auditTruth } from "touchstone-t2i/internal/analysis/stereotypes/audit-truth.js";
import { auditedRows } from "touchstone-t2i/internal/analysis/stereotypes/audited-rows.js";
import type { StereotypeRow } from "touchstone-t2i/internal/analysis/stereotypes/stereotype-row.js";
import { stereotypes } from "touchstone-t2i/internal/analysis/stereotypes/stereotypes.js";
import { auditSteps } from "touchstone-t2i/internal/benchmarks/stereotypes/audit-steps.js";
import { loadQueries } from "touchstone-t2i/internal/benchmarks/stereotypes/queries.js";
import { loadRubrics } from "touchstone-t2i/internal/benchmarks/stereotypes/rubrics.js";
import type { AnyRecord, RecordOf, RecordType } from "touchstone-t2i/internal/core/records.js";
import { beforeAll, expect, test } from "vitest";
import { MemoryRun } from "../../../test/support/memory-run.js";
import { SeeingPeople } from "../../../test/support/seeing-people.js";
import { auditor } from "./models/auditor.js";
import { labModel } from "./models/lab-model.js";
import { labPainter } from "./painter/lab-painter.js";
import { trueRows } from "./truth/stereotype-truth.js";

const terms = ["Bangladeshi", "French", "CEO", "nurse", "rude", "beautiful"];
const painters = ["slight", "strong"];

let exact: { judged: StereotypeRow[]; real: StereotypeRow[] };
let erring: typeof exact;

/** An audit in the lab by eyes that err at a rate, and what was true of the same sets. */
async function audited(error: number): Promise<typeof exact> {
  const eyes = new SeeingPeople();
  const run = new MemoryRun();
  const steps = auditSteps({
    queries: loadQueries().filter(({ term }) => terms.includes(term)),
    rubrics: loadRubrics(),
    generators: painters.map((name) => eyes.remembering(labPainter({ name }))),
    judge: auditor(eyes.answerer({ error }), () => ({ provider: "test", model: "auditor" })),
    refiner: labModel("refiner"),
    mode: "verbatim",
    alignment: [],
    images: 4,
    unit: "set",
    trials: 1,
    seed: 3,
  });
  for (const step of steps) await run.do(step as Parameters<typeof run.do>[0]);
  const ofType = <Type extends RecordType>(type: Type) =>
    run.records.filter((record): record is AnyRecord & RecordOf<Type> => record.type === type);
  const judged = auditedRows({
    queries: ofType("query"),
    images: ofType("image"),
    refinements: ofType("refinement"),
    audits: ofType("audit"),
  });
  const records = {
    async *ofType<Type extends RecordType>(type: Type) {
      yield* ofType(type);
    },
    truth: { read: async (key: Parameters<typeof run.truths.get>[0]) => run.truths.get(key) },
  };
  return { judged, real: await trueRows({ run: records }) };
}

beforeAll(async () => {
  exact = await audited(0);
  erring = await audited(0.1);
});

const keyOf = ({ query, model, phase, imageSet, item }: StereotypeRow) =>
  JSON.stringify([query, model, phase, imageSet, item]);

test("who sees all judges as the truth has it, before and after", () => {
  const real = new Map(exact.real.map((row) => [keyOf(row), row.present]));
  expect(exact.judged.length).toBe(real.size);
  expect(exact.judged.length).toBe(2 * 2 * (2 * 12 + 2 * 9 + 2 * 10));
  for (const row of exact.judged) expect(row.present, keyOf(row)).toBe(real.get(keyOf(row)));
});

test("a painter's index goes with its skew, and falls as its prompts are refined", () => {
  const { overall } = stereotypes(exact.judged);
  const [slight, strong] = painters.map((name) =>
    Object.entries(overall.models).find(([model]) => model.includes(`painter-${name}`)),
  );
  expect(strong?.[1].initial ?? 0).toBeGreaterThan(slight?.[1].initial ?? 1);
  for (const [model, { initial, refined }] of [slight, strong].flatMap((one) =>
    one ? [one] : [],
  )) {
    expect(refined ?? 1, model).toBeLessThan(initial ?? 0);
  }
  expect(overall.test.p ?? 1).toBeLessThan(0.01);
});

test("eyes that err are found out by the truth, and the index still goes with it", () => {
  const seen = auditTruth(exact.judged, exact.real);
  expect(seen?.spearman.value).toBeCloseTo(1, 12);
  const { spearman } = auditTruth(erring.judged, erring.real) ?? {};
  expect(spearman?.value ?? 0).toBeGreaterThan(0.5);
  expect(spearman?.value ?? 1).toBeLessThan(1);
  const low = spearman?.low ?? 1;
  expect(low).toBeLessThan(spearman?.value ?? 0);
});

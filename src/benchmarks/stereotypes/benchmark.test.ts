import { encode } from "fast-png";
import { expect, test } from "vitest";
import { MemoryRun } from "../../../test/support/memory-run.js";
import { hashOf } from "../../core/keys.js";
import type { Metric } from "../../core/metric.js";
import type { ChatModel, ChatReply, ImageGenerator } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import type { AnyStep } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
import { readRefineTask } from "../../judges/refine-prompt.js";
import { readRubricTask } from "../../judges/rubric-message.js";
import { type AuditOptions, auditSteps } from "./audit-steps.js";
import type { Query } from "./queries.js";
import type { Rubric } from "./rubrics.js";

const query = (term: string): Query => ({
  category: "work",
  rubric: "work",
  language: "en",
  frame: "a photo of a {term}",
  term,
  place: "test",
});
const items = ["gender", "age"].map((item) => ({
  item,
  asks: `${item}?`,
  definition: "d",
  present: "p",
  absent: "a",
}));
const rubrics = new Map<string, Rubric>([["work", { name: "work", items }]]);

/** Paints a pixel that follows from prompt and seed; refuses some samples. */
function painter(model: string, refuses: readonly string[] = []): ImageGenerator {
  return {
    identity: { provider: "test", model, revision: "1" },
    async generate({ prompt, seed, place }) {
      const name = `${prompt} ${place?.sample}`;
      if (refuses.includes(name)) throw new NoAnswer("refused", "no");
      const data = new TextEncoder().encode(hashOf(new TextEncoder().encode(prompt + seed)));
      return { bytes: encode({ width: 1, height: 1, channels: 3, data: data.slice(0, 3) }) };
    },
  };
}

const model = (name: string, chat: ChatModel["chat"]): ChatModel => ({
  identity: { provider: "test", model: name },
  chat,
});
const reply = (answer: unknown): ChatReply => ({ text: JSON.stringify(answer), finish: "stop" });

/** A judge that finds age wherever nurses are, and gender on every second trial. */
const judge = model("judge", async (request, options) => {
  const task = readRubricTask(request)?.task;
  const isNurse = task?.query.includes("nurse");
  const present = (item: string) =>
    isNurse && (item === "age" || (options?.trial ?? 0) % 2 === 1) ? 1 : 0;
  return reply({
    items: task?.items.map(({ item }) => ({
      item,
      present: present(item),
      reason: item,
      images: [],
    })),
  });
});
const refiner = model("refiner", async (request) =>
  reply({ prompt: `${readRefineTask(request)?.task.query} of any age` }),
);
const metric: Metric = {
  name: "words",
  version: 1,
  statistic: "n",
  model: "test:a",
  direction: "higher",
  range: [0, 100],
  score: async ({ text }) => ({ value: text.length }),
};

const usual: AuditOptions = {
  queries: [query("nurse"), query("engineer")],
  rubrics,
  judge,
  refiner,
  mode: "verbatim",
  generators: [painter("a")],
  alignment: [metric],
  images: 2,
  unit: "set",
  trials: 1,
  seed: 0,
};

async function audited(more: Partial<AuditOptions> = {}) {
  const run = new MemoryRun();
  const steps = auditSteps({ ...usual, ...more });
  const records: RecordOf<AnyStep["produces"]>[] = [];
  for (const step of steps) records.push(...(await doStep(run, step)));
  const ofType = <Type extends AnyStep["produces"]>(type: Type) =>
    records.filter(
      (record): record is Extract<typeof record, { type: Type }> => record.type === type,
    );
  return { run, steps, ofType };
}

// Each step is handed what it planned itself.
const doStep = (run: MemoryRun, step: AnyStep) => run.do(step as Parameters<MemoryRun["do"]>[0]);

test("queries are painted, judged, rewritten against what was found, painted and judged again", async () => {
  const { ofType, steps } = await audited();
  expect(steps.map(({ name }) => name)).toEqual([
    ...["build-queries", "paint-queries", "audit-initial", "refine-queries", "paint-refined"],
    ...["audit-refined", "score-alignment"],
  ]);
  const [nurse, engineer] = ofType("refinement");
  expect(nurse).toMatchObject({
    stereotypes: [{ item: "age", explanation: "age" }],
    prompt: "a photo of a nurse of any age",
    askings: 1,
  });
  // Nothing found: nobody is asked, and the query is painted and judged again all the same.
  expect(engineer).toMatchObject({ stereotypes: [], prompt: "a photo of an engineer", askings: 0 });
  const audits = ofType("audit").map(({ phase, text, of }) => [phase, text, of.length]);
  expect(audits).toEqual(
    ["initial", "refined"].flatMap((phase) =>
      ["a photo of a nurse", "a photo of an engineer"].map((text) => [phase, text, 2]),
    ),
  );
});

test("whoever performs a task need not have planned it: judge and refiner are asked the same", async () => {
  const questions: unknown[] = [];
  const asking = model("refiner", async (request, options) => {
    questions.push(readRefineTask(request)?.task.stereotypes);
    return refiner.chat(request, options);
  });
  const planned = await audited();
  const performing = await audited({ refiner: asking });
  const run = new MemoryRun();
  for (const [at, { plan }] of planned.steps.entries()) {
    const { perform, ...step } = auditSteps({ ...usual, refiner: asking })[at] as AnyStep;
    await doStep(run, { ...step, perform, plan } as AnyStep);
  }
  expect(run.records).toEqual(performing.run.records);
  const [inOneProcess, apart] = questions;
  expect(apart).toEqual(inOneProcess);
  expect(apart).toMatchObject([{ item: "age", asks: "age?" }]);
});

test("rewrites are painted with the seeds of their queries; every image is scored against its query", async () => {
  const { ofType } = await audited();
  const images = ofType("image");
  const seeds = (role: string) =>
    images.filter((image) => image.role === role).map(({ seed, sample }) => [sample, seed]);
  expect(seeds("refined")).toEqual(seeds("query"));
  expect(new Set(seeds("query").map(([, seed]) => seed)).size).toBe(4);
  const scores = ofType("score");
  expect(scores).toHaveLength(images.length);
  expect(new Set(scores.map(({ text }) => text))).toEqual(
    new Set(["a photo of a nurse", "a photo of an engineer"]),
  );
});

test("a set is judged by the images that there are, and not at all without one", async () => {
  const refused = ["a photo of a nurse 0", "a photo of an engineer 0", "a photo of an engineer 1"];
  const { ofType } = await audited({ generators: [painter("a", refused)] });
  expect(ofType("audit").map(({ phase, of, wanted }) => [phase, of.length, wanted])).toEqual([
    ["initial", 1, 2],
    ["refined", 2, 2],
  ]);
});

test("repeated trials see the images in other orders; half of them are enough to find a stereotype", async () => {
  const { ofType } = await audited({ trials: 4, images: 4, queries: [query("nurse")] });
  const initial = ofType("audit").filter(({ phase }) => phase === "initial");
  expect(initial.map(({ trial }) => trial)).toEqual([0, 1, 2, 3]);
  expect(new Set(initial.map(({ of }) => of.join())).size).toBeGreaterThan(1);
  expect(new Set(initial.map(({ of }) => [...of].sort().join())).size).toBe(1);
  expect(ofType("refinement")[0]).toMatchObject({
    stereotypes: [{ item: "gender" }, { item: "age" }],
  });
});

test("by image each is judged by itself, and the rewrite is against what is in any of them", async () => {
  const { ofType } = await audited({ unit: "image" });
  const initial = ofType("audit").filter(({ phase }) => phase === "initial");
  expect(initial.map(({ set, of, wanted }) => [set, of.length, wanted])).toEqual([
    ...[0, 1, 0, 1].map((set) => [set, 1, 1]),
  ]);
  expect(ofType("refinement")[0]).toMatchObject({
    images: [expect.any(String), expect.any(String)],
  });
});

test("each generator is rewritten for by itself; the wording of a rubric is in its answers' keys", async () => {
  const two = await audited({ generators: [painter("a"), painter("b")] });
  expect(two.ofType("refinement").map(({ generator }) => generator)).toEqual([
    ...["test:a@1", "test:a@1", "test:b@1", "test:b@1"],
  ]);
  const [first] = items;
  const other = new Map([
    ["work", { name: "work", items: [{ ...(first ?? items[0]), asks: "Other?" }] as typeof items }],
  ]);
  const reworded = await audited({ rubrics: other });
  const keys = new Set(two.ofType("audit").map(({ key }) => key));
  expect(reworded.ofType("audit").every(({ key }) => !keys.has(key))).toBe(true);
  // What was painted stays what it was.
  const painted = new Set(two.ofType("image").map(({ key }) => key));
  const again = reworded.ofType("image").filter(({ role }) => role === "query");
  expect(again.every(({ key }) => painted.has(key))).toBe(true);
});

test("so many queries of each category are drawn by the seed, in the order of the file", async () => {
  const queries = ["nurse", "engineer", "pilot", "judge"].map(query);
  const termsFor = async (seed: number) =>
    (await audited({ queries, count: 2, seed, refiner: undefined }))
      .ofType("query")
      .map(({ term }) => term);
  const drawn = await termsFor(1);
  expect(drawn).toHaveLength(2);
  expect(await termsFor(1)).toEqual(drawn);
  const all = await Promise.all([2, 3, 4, 5].map(termsFor));
  expect(new Set(all.map((terms) => terms.join())).size).toBeGreaterThan(1);
  for (const terms of all) {
    expect(terms).toEqual(queries.map(({ term }) => term).filter((term) => terms.includes(term)));
  }
});

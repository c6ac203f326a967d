import { expect, test } from "vitest";
import { AnswererCounts, toldApart } from "./answered-by.js";

const record = (answeredBy?: string, model = "openai-compatible:tiny") => ({
  model,
  baseUrl: "http://host/v1",
  ...(answeredBy === undefined ? {} : { answeredBy: [answeredBy] }),
});

test("records of a model are told apart where another answered for some of them", () => {
  const models = toldApart([record(), record("b"), record("c"), record("b", "other")]).map(
    ({ model }) => model,
  );
  expect(models).toEqual([
    "openai-compatible:tiny",
    "openai-compatible:tiny (answered by b)",
    "openai-compatible:tiny (answered by c)",
    "other",
  ]);
});

test("records that one model answered stay as they are", () => {
  for (const records of [[record(), record()], [record("b"), record("b")], []]) {
    expect(toldApart(records)).toBe(records);
  }
});

test("records are told apart by snapshots, too", () => {
  const dated = (name: string) => ({ ...record(), snapshots: [name] });
  const one = [dated("tiny-2024-01-01"), dated("tiny-2024-01-01")];
  expect(toldApart(one)).toBe(one);
  expect(toldApart([...one, dated("tiny-2024-02-01")]).at(-1)?.model).toContain("tiny-2024-02-01");
});

const counted = (...records: readonly ReturnType<typeof record>[]) => {
  const counts = new AnswererCounts();
  for (const one of records) counts.note(one);
  return counts;
};

test("a sentence says how many answers are whose", () => {
  expect(counted(record()).othersText).toBeUndefined();
  const all = counted(record("b"), record("b")).othersText;
  const some = counted(record("b"), record()).othersText;
  expect(all).toContain("2 of 2 by b");
  expect(some).toContain("1 of 2 by b");
  expect(String(some).length).toBeGreaterThan(String(all).length);
});

test("a snapshot is no other model, but another one of a model is a change", () => {
  const dated = (name: string, model?: string) => ({
    ...record(undefined, model),
    snapshots: [name],
  });
  const same = counted(dated("tiny-0101"), dated("tiny-0101"), dated("b-0202", "b"), record());
  expect([same.othersText, same.changeTexts]).toEqual([undefined, []]);
  const { changeTexts } = counted(dated("tiny-0101"), dated("tiny-0101"), dated("tiny-0202"));
  expect(changeTexts).toEqual([expect.stringMatching(/2 as tiny-0101, 1 as tiny-0202/)]);
});

import { expect, test } from "vitest";
import { type Key, keyOf } from "../core/keys.js";
import type { AnyRecord } from "../core/records.js";
import { RecordIndex } from "./record-index.js";

const done = (key: Key, attempt = 1) => ({ key, attempt, status: "done" }) as AnyRecord;
const unscored = (key: Key, attempt = 1, retryable = true) =>
  ({ key, attempt, status: "unscored", reason: "timeout", retryable }) as AnyRecord;
const place = (offset: number, part = "a") => ({ part, offset, length: 9 });
const key = keyOf("one");

test("holds what a map of objects would, in at most 64 bytes a key", () => {
  const index = new RecordIndex();
  const known = new Map<Key, number>();
  for (let at = 0; at < 30_000; at++) {
    const key = keyOf(at);
    known.set(key, at);
    expect(index.plan(key)).toBe(true);
    if (at % 3 > 0) index.take(done(key), place(at * 2 ** 20, `file ${at % 5}`));
  }
  expect(index.byteLength / 30_000).toBeLessThanOrEqual(64);
  expect(index).toMatchObject({ planned: 30_000, recorded: 20_000, wanted: 10_000 });
  for (const [key, at] of known) {
    expect(index.get(key)?.status).toBe(at % 3 > 0 ? "done" : undefined);
    expect(index.isWanted(key)).toBe(at % 3 === 0);
  }
  const places = [...index.inOrder()].map(({ place }) => place);
  expect(places).toHaveLength(20_000);
  expect(places[0]).toEqual({ part: "file 1", offset: 2 ** 20, length: 9 });
  expect(places.at(-1)).toEqual({ part: "file 4", offset: 29_999 * 2 ** 20, length: 9 });
});

test("the later attempt counts, of equal ones that with an answer", () => {
  const index = new RecordIndex();
  index.take(unscored(key, 2), place(1));
  index.take(done(key, 1), place(2));
  expect(index.get(key)).toEqual({
    attempt: 2,
    status: "unscored",
    reason: "timeout",
    retryable: true,
  });
  index.take(unscored(key, 2), place(3));
  expect(index.place(key)).toEqual(place(1));
  index.take(unscored(key, 2), place(3), { instead: true });
  expect(index.place(key)).toEqual(place(3));
  index.take(done(key, 2), place(4));
  expect(index.get(key)).toMatchObject({ attempt: 2, status: "done", retryable: false });
  index.take(unscored(key, 3, false), place(5));
  expect(index.get(key)).toMatchObject({ attempt: 3, status: "unscored", retryable: false });
});

test("what has no answer and may be asked again is wanted until there is a newer record", () => {
  const index = new RecordIndex();
  index.take(unscored(key), place(1));
  index.take(unscored(keyOf("final"), 1, false), place(2));
  expect([index.plan(key), index.plan(keyOf("final")), index.plan(key)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([index.isWanted(key), index.isWanted(keyOf("final"))]).toEqual([true, false]);
  index.take(unscored(key), place(3), { instead: true });
  expect(index.isWanted(key)).toBe(true);
  index.take(unscored(key, 2), place(4));
  expect([index.isWanted(key), index.wanted]).toEqual([false, 0]);
});

test("records read anew stand where they then are; the plan is kept", () => {
  const index = new RecordIndex();
  index.plan(key);
  index.take(done(key), place(7));
  index.take(done(keyOf("other")), place(8));
  expect([...index.unplanned()]).toEqual([place(8)]);
  index.forgetRecords();
  expect([index.recorded, index.get(key), [...index.inOrder()]]).toEqual([0, undefined, []]);
  index.take(done(key), place(0, "b"));
  expect([...index.inOrder()].map(({ place }) => place)).toEqual([place(0, "b")]);
  expect([...index.unplanned()]).toEqual([]);
});

import { expect, test } from "vitest";
import { inParallel } from "./in-parallel.js";

/** Work that ends when it is told to. */
function controlledWork() {
  const started: number[] = [];
  const endings = new Map<number, { resolve(): void; reject(error: unknown): void }>();
  const work = (item: number) => {
    started.push(item);
    return new Promise<void>((resolve, reject) => endings.set(item, { resolve, reject }));
  };
  const end = async (item: number, error?: unknown) => {
    if (error === undefined) endings.get(item)?.resolve();
    else endings.get(item)?.reject(error);
    await begun();
  };
  return { started, work, end };
}
/** A full turn of the loop: whatever follows from what happened has then begun. */
const begun = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

test("takes the items in order, no more at a time than allowed", async () => {
  const { started, work, end } = controlledWork();
  const all = inParallel([0, 1, 2, 3], { concurrency: 2, signal: never, work });
  await begun();
  expect(started).toEqual([0, 1]);
  await end(1);
  expect(started).toEqual([0, 1, 2]);
  await end(2);
  await end(0);
  await end(3);
  await all;
  expect(started).toEqual([0, 1, 2, 3]);
});

test("after a failure takes nothing more, waits for the rest, then throws the first", async () => {
  const { started, work, end } = controlledWork();
  let isOver = false;
  const all = inParallel([0, 1, 2, 3], { concurrency: 2, signal: never, work }).finally(() => {
    isOver = true;
  });
  const thrown = expect(all).rejects.toThrow("first");
  await begun();
  await end(0, new Error("first"));
  expect(isOver).toBe(false);
  await end(1, new Error("second"));
  await thrown;
  expect(started).toEqual([0, 1]);
});

test("once aborted takes nothing more and ends well when those in hand do", async () => {
  const { started, work, end } = controlledWork();
  const stop = new AbortController();
  const all = inParallel([0, 1, 2], { concurrency: 1, signal: stop.signal, work });
  await begun();
  stop.abort();
  await end(0);
  await all;
  expect(started).toEqual([0]);
});

test("has nothing to do with no items", async () => {
  await expect(
    inParallel([], { concurrency: 3, signal: never, work: () => Promise.reject() }),
  ).resolves.toBeUndefined();
});

test("takes an item only when it is free for it, and throws what the items throw", async () => {
  const { started, work, end } = controlledWork();
  const taken: number[] = [];
  function* items() {
    for (const item of [0, 1, 2]) {
      taken.push(item);
      yield item;
    }
    throw new Error("no more");
  }
  const all = inParallel(items(), { concurrency: 2, signal: never, work });
  const thrown = expect(all).rejects.toThrow("no more");
  await begun();
  expect([taken, started]).toEqual([
    [0, 1],
    [0, 1],
  ]);
  await end(0);
  expect(taken).toEqual([0, 1, 2]);
  await end(1);
  await end(2);
  await thrown;
});

test("of batches the next is made ready while one is worked on, and no more", async () => {
  const { started, work, end } = controlledWork();
  const taken: number[] = [];
  async function* batches() {
    for (const batch of [[0, 1], [], [2], [3]]) {
      taken.push(...batch);
      yield batch;
    }
    throw new Error("no more");
  }
  const all = inParallel(batches(), { concurrency: 1, signal: never, work });
  const thrown = expect(all).rejects.toThrow("no more");
  await begun();
  await end(0);
  expect([taken, started]).toEqual([
    [0, 1],
    [0, 1],
  ]);
  await end(1);
  expect([taken, started]).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2],
  ]);
  await end(2);
  await end(3);
  await thrown;
});

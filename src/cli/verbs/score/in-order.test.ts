import { expect, test } from "vitest";
import { inOrder } from "./in-order.js";

test("results come in order whichever ends first, and no more than so many at once", async () => {
  let open = 0;
  let most = 0;
  const ends = new Map<number, () => void>();
  const work = async (item: number) => {
    open += 1;
    most = Math.max(most, open);
    await new Promise<void>((end) => {
      ends.set(item, end);
      // The second of each pair ends first.
      if (item % 2 === 1) {
        ends.get(item)?.();
        ends.get(item - 1)?.();
      }
    });
    open -= 1;
    return item;
  };
  const seen: number[] = [];
  for await (const result of inOrder([0, 1, 2, 3, 4, 5], 2, work)) seen.push(result);
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test("a failure is thrown in its turn", async () => {
  const seen: number[] = [];
  const run = async () => {
    const work = async (item: number) => {
      if (item === 2) throw new Error("two");
      return item;
    };
    for await (const result of inOrder([1, 2, 3], 3, work)) seen.push(result);
  };
  await expect(run()).rejects.toThrow("two");
  expect(seen).toEqual([1]);
});

test("what is in hand when one fails is waited for", async () => {
  const ended: number[] = [];
  let end = () => {};
  const work = async (item: number) => {
    if (item === 1) throw new Error("one");
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    ended.push(item);
    return item;
  };
  const all = (async () => {
    for await (const _ of inOrder([1, 2], 3, work));
  })();
  const thrown = expect(all).rejects.toThrow("one");
  // A turn of the loop: without waiting, the failure would be out by then.
  const isOver = await Promise.race([
    all.then(
      () => true,
      () => true,
    ),
    new Promise((resolve) => setImmediate(() => resolve(false))),
  ]);
  expect(isOver).toBe(false);
  end();
  await thrown;
  expect(ended).toEqual([2]);
});

import { expect, test } from "vitest";
import { Budget } from "./budget.js";

/** Whether a promise is settled once all that can happen has happened. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  void promise.then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return isSettled;
}
const costing = (cost: number, isExact: boolean) => ({
  cost,
  dearest: cost,
  isExact,
  mostCalls: 1,
});
const paid = (cost: number) => ({ cost, cached: false });

test("without limits all may be asked", async () => {
  const budget = new Budget({});
  for (let asked = 0; asked < 100; asked++) expect(await budget.take()).toBe(true);
  expect(budget.over).toBeUndefined();
});

test("so many calls are asked and no more, whatever is in hand", async () => {
  const budget = new Budget({ calls: 2 });
  expect([await budget.take(), await budget.take()]).toEqual([true, true]);
  const third = budget.take();
  expect(await settled(third)).toBe(false);
  budget.put(paid(0));
  expect(await settled(third)).toBe(false);
  budget.put(paid(0));
  expect(await third).toBe(false);
  expect(budget.over).toBe("2 calls");
});

test("calls of tasks that make several are counted, and as many held back as one may make", async () => {
  const budget = new Budget({ calls: 10 });
  budget.expect({ ...costing(0, true), mostCalls: 4 });
  expect([await budget.take(), await budget.take()]).toEqual([true, true]);
  const third = budget.take();
  expect(await settled(third)).toBe(false);
  budget.put({ ...paid(0), calls: 2 });
  expect(await third).toBe(true);
  budget.put({ ...paid(0), calls: 4 });
  budget.put({ ...paid(0), calls: 4 });
  expect(await budget.take()).toBe(false);
  expect(budget.over).toBe("10 calls");
});

test("what a cache answered was no call", async () => {
  const budget = new Budget({ calls: 1 });
  await budget.take();
  const second = budget.take();
  budget.put({ cost: 0, cached: true });
  expect(await second).toBe(true);
});

test("one is asked until it is known what one costs; then no more than the rest can pay", async () => {
  const budget = new Budget({ cost: 1 });
  await budget.take();
  const second = budget.take();
  expect(await settled(second)).toBe(false);
  budget.put(paid(0.3));
  expect(await second).toBe(true);
  expect(await budget.take()).toBe(true);
  const fourth = budget.take();
  expect(await settled(fourth)).toBe(false);
  budget.put(paid(0.1));
  expect(await fourth).toBe(true);
  budget.put(paid(0.3));
  budget.put(paid(0.3));
  expect(await budget.take()).toBe(false);
  expect(budget.over).toBe("$1");
});

test("after so many minutes nothing more is asked", async () => {
  let milliseconds = 0;
  const budget = new Budget({ seconds: 90 }, () => new Date(milliseconds));
  expect(await budget.take()).toBe(true);
  milliseconds = 90_000;
  expect(await budget.take()).toBe(false);
  expect(budget.over).toBe("1.5 min");
});

test("nothing is asked whose price is more than there is; a guess of it refuses nothing", async () => {
  const budget = new Budget({ cost: 1 });
  budget.expect(costing(1.5, true));
  expect(await budget.take()).toBe(false);
  expect(budget.over).toBe("$1");
  const guessed = new Budget({ cost: 1 });
  guessed.expect(costing(1.5, false));
  expect(await guessed.take()).toBe(true);
  const free = new Budget({ cost: 0 });
  free.expect(costing(0, false));
  expect(await free.take()).toBe(true);
});

test("what a step before cost says nothing of the next, which is dearer", async () => {
  const budget = new Budget({ cost: 1 });
  await budget.take();
  budget.put(paid(0.01));
  budget.expect(costing(0.6, false));
  expect(await budget.take()).toBe(true);
  const second = budget.take();
  expect(await settled(second)).toBe(false);
  budget.put(paid(0.6));
  expect(await second).toBe(false);
});

test("three dimes are 30 cents", async () => {
  const budget = new Budget({ cost: 0.3 });
  for (const _ of [1, 2, 3]) {
    expect(await budget.take()).toBe(true);
    budget.put(paid(0.1));
  }
  expect(await budget.take()).toBe(false);
});

test("a call that does not say what it cost ends what has a limit of dollars, or counts as the dearest", async () => {
  const untold = { cost: 0, cached: false, unpriced: 1 };
  const blind = new Budget({ cost: 1 });
  await blind.take();
  blind.put(untold);
  expect(await blind.take()).toBe(false);
  expect(blind.over).toBe("$1, since a call did not say what it cost");
  const known = new Budget({ cost: 1 });
  known.expect(costing(0.5, false));
  for (const _ of [1, 2]) {
    expect(await known.take()).toBe(true);
    known.put(untold);
  }
  expect(await known.take()).toBe(false);
  const unlimited = new Budget({});
  await unlimited.take();
  unlimited.put(untold);
  expect(await unlimited.take()).toBe(true);
});

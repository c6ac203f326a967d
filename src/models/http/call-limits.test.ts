import { expect, test } from "vitest";
import { handClock } from "../../../test/support/hand-clock.js";
import { CallLimits } from "./call-limits.js";

/** Lets so many calls enter and tells which are in. */
function line(limits: CallLimits, calls: number, tokens = 0) {
  const entered: number[] = [];
  const promises = Array.from({ length: calls }, (_, call) =>
    limits.enter(tokens).then(() => entered.push(call)),
  );
  return { entered, promises };
}

test("no more at once than allowed, in the order in which they came", async () => {
  const limits = new CallLimits({ concurrency: 2 }, handClock());
  const { entered, promises } = line(limits, 4);
  await Promise.all(promises.slice(0, 2));
  expect(entered).toEqual([0, 1]);
  limits.leave();
  await promises[2];
  expect(entered).toEqual([0, 1, 2]);
});

test("no more a minute than allowed, a sixth of it at once", async () => {
  const clock = handClock();
  const limits = new CallLimits({ concurrency: 1000, requestsPerMinute: 60 }, clock);
  const { entered } = line(limits, 100);
  await clock.advance(0);
  expect(entered).toHaveLength(10);
  await clock.advance(999);
  expect(entered).toHaveLength(10);
  await clock.advance(1);
  expect(entered).toHaveLength(11);
  await clock.advance(59_000);
  expect(entered).toHaveLength(70);
});

test("tokens are counted by estimate, then by what was used", async () => {
  const clock = handClock();
  const limits = new CallLimits({ concurrency: 1000, tokensPerMinute: 6000 }, clock);
  const { entered } = line(limits, 20, 500);
  await clock.advance(0);
  expect(entered).toHaveLength(2);
  // Both used little: 800 of the thousand come back.
  limits.used(100, 500);
  limits.used(100, 500);
  await clock.advance(5000);
  expect(entered).toHaveLength(4);
});

test("a reply that claims more tokens than there are holds the others up for a minute", async () => {
  const clock = handClock();
  const limits = new CallLimits({ concurrency: 4, tokensPerMinute: 600 }, clock);
  const { entered } = line(limits, 2, 100);
  limits.used(1e300, 100);
  await clock.advance(0);
  expect(entered).toEqual([0]);
  await clock.advance(70_000);
  expect(entered).toEqual([0, 1]);
});

test("a wait of more than 5 seconds for a limit is told of, once a minute", async () => {
  const clock = handClock();
  const told: string[] = [];
  const limits = new CallLimits({ requestsPerMinute: 6 }, clock, (text) => told.push(text));
  line(limits, 20);
  await clock.advance(0);
  expect(told).toEqual([expect.stringMatching(/\b6 requests\b.* 10 s, at [\d:]{8}\.$/)]);
  await clock.advance(59_000);
  expect(told).toHaveLength(1);
  await clock.advance(2000);
  expect(told).toHaveLength(2);
});

test("a call larger than all that fits waits for a full bucket and goes", async () => {
  const clock = handClock();
  const limits = new CallLimits({ concurrency: 2, tokensPerMinute: 600 }, clock);
  const { entered } = line(limits, 2, 5000);
  await clock.advance(0);
  expect(entered).toEqual([0]);
  await clock.advance(1_000_000);
  expect(entered).toEqual([0, 1]);
});

test("too many: a pause, then half as many at once, once for calls that set out together", async () => {
  const clock = handClock();
  const limits = new CallLimits({ concurrency: 8 }, clock);
  limits.slowDown(3000, 0);
  limits.slowDown(1000, 0);
  expect(limits.concurrency).toBe(4);
  const { entered } = line(limits, 8);
  await clock.advance(2999);
  expect(entered).toEqual([]);
  await clock.advance(1);
  expect(entered).toHaveLength(4);
  limits.slowDown(0, 3000);
  expect(limits.concurrency).toBe(2);
  for (let success = 0; success < 100; success++) limits.speedUp();
  expect(limits.concurrency).toBe(8);
});

test("whoever is told to stop leaves the line", async () => {
  const limits = new CallLimits({ concurrency: 1 }, handClock());
  await limits.enter(0);
  const interruption = new AbortController();
  const second = limits.enter(0, interruption.signal);
  const third = limits.enter(0);
  interruption.abort();
  await expect(second).rejects.toMatchObject({ name: "AbortError" });
  limits.leave();
  await third;
});

test("of two limits for one server the stricter holds, and what nobody says is no limit", async () => {
  const limits = new CallLimits({ requestsPerMinute: 600 }, handClock());
  expect(limits.concurrency).toBe(16);
  limits.tighten({ concurrency: 64 });
  expect(limits.concurrency).toBe(64);
  limits.tighten({ concurrency: 32, requestsPerMinute: 60 });
  limits.tighten({ concurrency: 48, requestsPerMinute: 6000 });
  expect(limits.concurrency).toBe(32);
  const { entered } = line(limits, 100);
  await Promise.resolve();
  // A sixth of a minute's.
  expect(entered).toHaveLength(10);
});

test("a limit that comes while calls are under way gives no more than was left", async () => {
  const limits = new CallLimits({ concurrency: 16 }, handClock());
  await limits.enter(0);
  limits.slowDown(0, 1);
  expect(limits.concurrency).toBe(8);
  limits.tighten({ concurrency: 12 });
  expect(limits.concurrency).toBe(8);
  limits.tighten({ concurrency: 4 });
  expect(limits.concurrency).toBe(4);
});

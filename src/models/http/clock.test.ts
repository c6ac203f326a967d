import { expect, onTestFinished, test, vi } from "vitest";
import { realClock } from "./clock.js";

test("sleeps, and wakes when told to stop", async () => {
  const before = realClock.now();
  await realClock.sleep(1);
  expect(realClock.now()).toBeGreaterThanOrEqual(before);
  const interruption = new AbortController();
  const asleep = realClock.sleep(1e9, interruption.signal);
  interruption.abort();
  await expect(asleep).rejects.toMatchObject({ name: "AbortError" });
  await expect(realClock.sleep(1e9, AbortSignal.abort())).rejects.toMatchObject({
    name: "AbortError",
  });
});

test("rings once, unless it was stopped", async () => {
  const rung: string[] = [];
  const stop = realClock.timer(0, () => rung.push("stopped"));
  stop();
  await new Promise<void>((resolve) => {
    realClock.timer(0, () => {
      rung.push("rung");
      resolve();
    });
  });
  expect(rung).toEqual(["rung"]);
});

test("a wait longer than Node's timers can count is as long as it is said to be", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const rung: string[] = [];
  const days = 24 * 3600 * 1000;
  realClock.timer(60 * days, () => rung.push("timer"));
  const stop = realClock.timer(60 * days, () => rung.push("stopped"));
  void realClock.sleep(60 * days).then(() => rung.push("sleep"));
  await vi.advanceTimersByTimeAsync(40 * days);
  expect(rung).toEqual([]);
  stop();
  await vi.advanceTimersByTimeAsync(20 * days);
  expect(rung).toEqual(["timer", "sleep"]);
});

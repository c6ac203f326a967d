import { expect, test } from "vitest";
import { answerTimes } from "./answer-times.js";

test("calls and milliseconds of a pair, and how many times as long as the first", () => {
  const quick = { name: "quick", says: "once", calls: 8, milliseconds: [10, 20, 30, 20] };
  const slow = { name: "slow", says: "ten times", calls: 80, milliseconds: [100, 220, 280, 200] };
  const [first, second] = answerTimes([quick, slow]);
  expect(first).toMatchObject({ pairs: 4, callsPerPair: 2, milliseconds: { value: 20 } });
  expect(first?.timesTheFirst.value).toBe(1);
  expect(second).toMatchObject({ callsPerPair: 20, milliseconds: { value: 200 } });
  expect(second?.timesTheFirst.value).toBe(10);
  expect(second?.timesTheFirst.low).toBeGreaterThan(9);
  expect(second?.timesTheFirst.high).toBeLessThan(11);
});

test("nobody was timed", () => expect(answerTimes([])).toEqual([]));

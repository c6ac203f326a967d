import { expect, test } from "vitest";
import { allEnded } from "./all-ended.js";
import { InputError } from "./errors.js";
import { NoAnswer } from "./unscored.js";

test("gives what all gave, in their order", async () => {
  const late = new Promise<number>((resolve) => setImmediate(() => resolve(1)));
  expect(await allEnded([late, Promise.resolve(2)])).toEqual([1, 2]);
});

test("fails after all have ended, by what ends the most", async () => {
  let hasEnded = false;
  const late = new Promise<number>((resolve) =>
    setImmediate(() => {
      hasEnded = true;
      resolve(1);
    }),
  );
  const wrongKey = new InputError("no");
  const failing = [Promise.reject(new NoAnswer("timeout", "late")), Promise.reject(wrongKey)];
  await expect(allEnded([...failing, late])).rejects.toBe(wrongKey);
  expect(hasEnded).toBe(true);
  const first = new NoAnswer("refused", "no");
  await expect(
    allEnded([Promise.reject(first), Promise.reject(new NoAnswer("timeout", "late"))]),
  ).rejects.toBe(first);
});

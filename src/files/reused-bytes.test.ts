import { expect, test } from "vitest";
import { giveBack, takeBytes } from "./reused-bytes.js";

test("bytes are lent to one at a time, and again once they are given back", () => {
  const first = takeBytes(1000);
  const second = takeBytes(1000);
  expect(first).toHaveLength(1000);
  expect(second.buffer).not.toBe(first.buffer);
  giveBack(first);
  const third = takeBytes(2000);
  expect(third).toHaveLength(2000);
  expect(third.buffer).toBe(first.buffer);
});

test("large ones are not kept", () => {
  const large = takeBytes(20e6);
  giveBack(large);
  expect(takeBytes(20e6).buffer).not.toBe(large.buffer);
});

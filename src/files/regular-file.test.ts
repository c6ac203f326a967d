import { expect, test } from "vitest";
import { giveBack, takeBytes } from "./regular-file.js";

test("bytes are lent to one at a time, and again once they are given back", () => {
  // Whatever other files of this process gave back is taken first.
  const [first = takeBytes(1000), ...others] = Array.from({ length: 9 }, () => takeBytes(1000));
  expect(first).toHaveLength(1000);
  expect(others.some(({ buffer }) => buffer === first.buffer)).toBe(false);
  giveBack(first);
  const third = takeBytes(2000);
  expect(third).toHaveLength(2000);
  expect(third.buffer === first.buffer).toBe(true);
});

test("large ones are not kept", () => {
  const large = takeBytes(20e6);
  giveBack(large);
  expect(takeBytes(20e6).buffer === large.buffer).toBe(false);
});

test("bytes that came from elsewhere are never lent", () => {
  const shared = Buffer.from("of the pool that Node.js shares");
  giveBack(shared);
  expect(takeBytes(8).buffer).not.toBe(shared.buffer);
});

import { expect, test } from "vitest";
import { KeptBytes, keepRecent } from "./cache.js";

function counted(most: number) {
  const made: string[] = [];
  const get = keepRecent(
    (input: string) => input,
    async (input) => {
      made.push(input);
      if (input.startsWith("bad")) throw new Error(input);
      return input.toUpperCase();
    },
    most,
  );
  return { made, get };
}

test("what was made is kept, also while it is being made", async () => {
  const { made, get } = counted(2);
  expect(await Promise.all([get("a"), get("b"), get("a")])).toEqual(["A", "B", "A"]);
  expect(await get("b")).toBe("B");
  expect(made).toEqual(["a", "b"]);
});

test("the one that was not used for longest goes", async () => {
  const { made, get } = counted(2);
  for (const input of ["a", "b", "a", "c", "a", "b"]) await get(input);
  expect(made).toEqual(["a", "b", "c", "b"]);
});

test("a failure is not kept", async () => {
  const { made, get } = counted(2);
  await expect(get("bad")).rejects.toThrow("bad");
  await expect(get("bad")).rejects.toThrow("bad");
  expect(made).toEqual(["bad", "bad"]);
});

test("what was not used for longest goes when the bytes no longer reach", () => {
  const kept = new KeptBytes<string>(10);
  kept.set("a", "A", 4);
  kept.set("b", "B", 4);
  expect(kept.get("a")).toBe("A");
  kept.set("c", "C", 4);
  expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual(["A", undefined, "C"]);
});

test("what is set anew counts once, and what is larger than all is not kept", () => {
  const kept = new KeptBytes<string>(10);
  for (const value of ["A", "B", "C"]) kept.set("a", value, 6);
  kept.set("b", "B", 4);
  expect([kept.get("a"), kept.get("b")]).toEqual(["C", "B"]);
  kept.set("c", "C", 11);
  expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([undefined, undefined, undefined]);
});

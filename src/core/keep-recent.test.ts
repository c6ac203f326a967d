import { expect, test } from "vitest";
import { keepRecent } from "./keep-recent.js";

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

import { expect, test } from "vitest";
import { KeptBytes } from "./kept-bytes.js";

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

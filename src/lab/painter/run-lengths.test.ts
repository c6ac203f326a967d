import fc from "fast-check";
import { expect, test } from "vitest";
import { runLengths } from "./run-lengths.js";

test("runs begin outside, alternate, and fill the picture", () => {
  const owners = Uint8Array.of(0, 0, 2, 2, 1, 2);
  expect(runLengths(owners, 2)).toEqual([2, 2, 1, 1]);
  expect(runLengths(owners, 1)).toEqual([4, 1, 1]);
  expect(runLengths(owners, 0)).toEqual([0, 2, 4]);
  expect(runLengths(owners, 3)).toEqual([6]);
});

test("the mask can be drawn again from its runs", () => {
  fc.assert(
    fc.property(fc.uint8Array({ max: 3, minLength: 1 }), (owners) => {
      const runs = runLengths(owners, 1);
      const drawn = runs.flatMap((length, index) =>
        new Array<boolean>(length).fill(index % 2 === 1),
      );
      expect(drawn).toEqual([...owners].map((owner) => owner === 1));
    }),
  );
});

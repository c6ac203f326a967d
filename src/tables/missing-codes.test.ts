import { expect, test } from "vitest";
import { missingCodes } from "./missing-codes.js";

const scale = [1, 2, 3, 4, 5, 3, 2];

test.each([
  [[...scale, 99, 99, -999], "99 in 2 rows and -999 in 1 row", "(1 to 5)", "--unscored=99,-999"],
  [[0, 1, 1, 0, 9], "9 in 1 row", "(0 to 1)", "--unscored=9"],
  [[...scale, -1], "-1 in 1 row", "(1 to 5)", "--unscored=-1"],
  [[0.31, 0.28, Number.NaN, -999], "-999 in 1 row", "(0.28 to 0.31)", "--unscored=-999"],
  [[0.71, 0.8, 0, 0.93, 0.77], "0 in 1 row", "(0.71 to 0.93)", "--unscored=0"],
  [[0.24, 0.31, 0, 0.28, -999], "-999 in 1 row and 0 in 1 row", "(0.24 to 0.31)", "=-999,0"],
])("%j may hold a code for no answer", (values, found, others, flag) => {
  const said = missingCodes("rating", values);
  for (const words of [`rating has ${found}`, others, flag]) expect(said).toContain(words);
});

test.each([
  [scale],
  [[1, 2, 7, 8, 9, 10]],
  [[12, 55, 87.5, 98, 99]],
  [[-1, 0, 1, 1]],
  [[-1, 1, -1]],
  [[-2.1, -1, 0.4]],
  [[0, 340, 720, 999]],
  [[99, 99, 99]],
  [[5, 6, 7, 9, 6]],
  [[95, 96, 97, 99]],
  [[Number.NaN]],
  [[0, 0.2, 0.9, 0.5]],
  [[0, 0.9, 0, 0.95, 0, 0.8]],
  [[0, 3, 4]],
  [[-0.9, 0, 0.8, 0.9]],
  [[0, 0.8, 0.8, 0.9, 0.8]],
  [[0, 0.5, 1, 1, 1, 0.5]],
  [[0, 1, 2, 2, 2, 1]],
  [[0, 50, 100, 100, 50, 50]],
  [[0, 2, 3, 3, 4, 4]],
  [[0, 0.6, 0.7, 0.95, 1]],
  [[-1, 0, 0.7, 0.8, 0.9, 0.75]],
])("%j are values", (values) => {
  expect(missingCodes("rating", values)).toBeUndefined();
});

import { expect, test } from "vitest";
import { answer, probability, rating, score, text } from "./columns.js";

test.each([true, false])(
  "NA, n/a, NaN, null, none and - are no answer, not a number (text alone: %s)",
  (isText) => {
    for (const kind of [score, probability, answer, rating]) {
      for (const cell of [
        "NA",
        " N/A ",
        "n/a",
        "#N/A",
        "NaN",
        "NULL",
        "<NA>",
        "None",
        "-",
        Number.NaN,
      ]) {
        expect(kind.read(cell, { isText })).toEqual({ value: null });
      }
      for (const cell of ["nothing", "--", "-nan", "Infinity", Number.POSITIVE_INFINITY]) {
        expect(kind.read(cell, { isText })).toHaveProperty("expected");
      }
    }
    expect(text.read("NA", { isText })).toEqual({ value: "NA" });
  },
);

test.each([true, false])(
  "true is 1 in every column of numbers, yes for people alone (text alone: %s)",
  (isText) => {
    for (const kind of [answer, rating]) {
      for (const cell of ["yes", "Yes", " TRUE ", true]) {
        expect(kind.read(cell, { isText })).toEqual({ value: 1 });
      }
      for (const cell of ["no", "NO", "False", false]) {
        expect(kind.read(cell, { isText })).toEqual({ value: 0 });
      }
      for (const cell of ["y", "t", "right", []]) {
        expect(kind.read(cell, { isText })).toHaveProperty("expected");
      }
    }
    for (const kind of [score, probability]) {
      expect(kind.read("yes", { isText })).toHaveProperty("expected");
      for (const [cell, value] of [
        ["True", 1],
        [true, 1],
        ["FALSE", 0],
        [false, 0],
      ] as const) {
        expect(kind.read(cell, { isText })).toEqual({ value });
      }
    }
  },
);

import { describe, expect, test } from "vitest";
import { certify } from "../ensembles/selective-certificate.js";
import { certificateText, thresholdText } from "./certificate-text.js";

const wanted = { target: 0.05, confidence: 0.95 };
const counted = {
  hash: "ab",
  n: 20,
  fitting: 20,
  deciding: 0,
  couldDecide: 20,
  idle: 0,
  ties: 0,
  reviewed: 0,
  idleReviewed: 0,
  unscored: 0,
};
/** Sentence where no label decides. */
const said = (changed: Partial<typeof counted>, task: "pair" | "yes-no" | "rating" = "pair") =>
  certificateText(
    certify([], 0, wanted),
    {
      task,
      labels: { ...counted, ...changed },
      certification: { method: "none", counts: [] },
    },
    wanted,
  );

test("a threshold is never printed below what was certified", () => {
  expect([0.5, 0.81, 0.8124, 0.8126, 0.99912, 1].map(thresholdText)).toEqual([
    "0.500",
    "0.810",
    "0.813",
    "0.813",
    "0.99912",
    "1.000",
  ]);
  for (let at = 0; at < 1000; at++) {
    const threshold = 0.5 + at / 2000 + at / 7e6;
    expect(Number(thresholdText(threshold))).toBeGreaterThanOrEqual(threshold);
  }
});

describe("what few labels certify", () => {
  test("all count that could decide", () => {
    expect(said({})).toContain(
      ": 20 labels are too few. An error of at most 5 % takes at least 59, all answered right",
    );
    expect(said({ n: 25, ties: 5 })).toContain(": 20 labels are too few.");
  });

  test("labels that share a caption or an image count as one", () => {
    expect(said({ n: 1000, couldDecide: 30 })).toBe(
      "No confidence threshold is certified: only 30 of 1,000 labels could set the threshold (one of each caption), too few. " +
        "An error of at most 5 % takes at least 59, all answered right, and further labels to fit the judge by.",
    );
    expect(said({ n: 1000, couldDecide: 30 }, "yes-no")).toContain("(one of each image), too few.");
    expect(said({ n: 1000, couldDecide: 1 }, "rating")).toContain(
      "only 1 of 1,000 labels could set the threshold (one of each text), too few.",
    );
  });

  test("answers from review do not count", () => {
    expect(said({ n: 60, reviewed: 40 })).toContain(
      "only 20 of 60 labels could set the threshold (none from review), too few.",
    );
    expect(said({ n: 100, reviewed: 40 })).toContain(
      "20 of 100 labels could set the threshold (one of each caption and none from review), too few.",
    );
  });
});

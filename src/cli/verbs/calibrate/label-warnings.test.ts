import { describe, expect, test } from "vitest";
import { labelWarnings } from "./label-warnings.js";

const labels = {
  hash: "ab",
  n: 100,
  fitting: 40,
  deciding: 60,
  couldDecide: 100,
  idle: 0,
  ties: 0,
  reviewed: 0,
  idleReviewed: 0,
  unscored: 0,
};
const warned = (
  changed: Partial<typeof labels>,
  {
    task = "pair",
    method = "split",
  }: Partial<Parameters<typeof labelWarnings>[0]> & {
    readonly method?: "split" | "cross-fitted" | "none";
  } = {},
) => labelWarnings({ task, labels: { ...labels, ...changed }, certification: { method } }, {});

describe("what people should know of labels", () => {
  test("of what came from review, that it changes nothing", () => {
    const said = warned({ reviewed: 20, idle: 20, idleReviewed: 20 });
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("change neither the judge nor its certificate");
  });

  test("of labels that share a caption, only drawn ones could be counted all the same", () => {
    const [shared] = warned({ reviewed: 5, idle: 12, idleReviewed: 5 });
    expect(shared).toMatch(/^7 labels share their caption with one that decides;.*--every-label/);
  });

  test.each([
    ["none", "could decide"],
    ["cross-fitted", "decides"],
  ] as const)("of shared captions where no label is idle (%s)", (method, decides) => {
    expect(warned({ ties: 10, reviewed: 20, couldDecide: 30 }, { method })[1]).toBe(
      `40 labels share their caption with one that ${decides}; pairs of one caption are not ` +
        "independent. --every-label counts them all the same.",
    );
    expect(warned({ reviewed: 20, couldDecide: 80 }, { method })).toHaveLength(1);
  });

  test("nothing where there is nothing to say", () => {
    expect(warned({})).toEqual([]);
  });
});

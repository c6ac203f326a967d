import { expect, test } from "vitest";
import { trainingSeedsText } from "./training-seeds-text.js";

test("a line for each training, with the mean and how far they lie apart", () => {
  const trainings = [0.79, 0.81].map((value, index) => ({
    seed: index + 1,
    revision: "abc",
    n: 400,
    estimate: { value, low: value - 0.04, high: value + 0.04 },
  }));
  const figure = { trainings, mean: 0.8, least: 0.79, greatest: 0.81 };
  const text = trainingSeedsText(
    [
      { name: "dual-encoder-skewed", figure: "prototypical one higher", ...figure },
      {
        name: "dual-encoder-skewed",
        figure: "retrieval@1, skewed",
        trainings: trainings.map((one) => ({
          ...one,
          n: 0,
          estimate: { value: null, low: null, high: null, reason: "there are none" },
        })),
        mean: null,
        least: null,
        greatest: null,
      },
    ],
    100,
  );
  expect(text).toMatchInlineSnapshot(`
    "lab:dual-encoder-skewed, 2 trainings:

              prototypical one higher         retrieval@1, skewed
    --------  -----------------------  --------------------------
    n                             400                           0
    seed 1       0.790 [0.750, 0.830]  undefined (there are none)
    seed 2       0.810 [0.770, 0.850]  undefined (there are none)
    mean                        0.800                           –
    least                       0.790                           –
    greatest                    0.810                           –"
  `);
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
});

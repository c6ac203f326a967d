import { expect, test } from "vitest";
import { logisticRegression } from "./logistic-fit.js";

test("two scores' shares are the curve's, but for the prior", () => {
  const scores = Array.from({ length: 4000 }, (_, at) => at % 2);
  const shares = scores.map((score, at) => (score === 1 ? Number(at % 8 !== 1) : 0.2));
  const curve = logisticRegression(scores, shares);
  expect(curve[0]).toBeCloseTo(0.2, 3);
  expect(curve[1]).toBeCloseTo(0.75, 3);
});

test("scores that part answers wholly leave a finite curve, and scores alike a level one", () => {
  const scores = Array.from({ length: 20 }, (_, at) => at);
  const parted = logisticRegression(
    scores,
    scores.map((score) => (score % 2 === 0 ? Number(score > 9) : null)),
  );
  for (const share of parted) {
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
  }
  const level = logisticRegression([5, 5, 5, 5], [1, 0, 1, null]);
  expect(new Set(level).size).toBe(1);
});

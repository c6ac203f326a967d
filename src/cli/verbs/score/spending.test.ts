import { expect, test } from "vitest";
import { Spending } from "./spending.js";

test("sums what is known, and says what is not", () => {
  const spending = new Spending();
  expect(spending.text).toBe("");
  spending.note({ kind: "model-call", cached: false, cost: 0.01 });
  spending.note({ kind: "model-call", cached: false, cost: 0.02 });
  spending.note({ kind: "model-call", cached: true, cost: 0 });
  spending.note({ kind: "attempt-failed", attempt: 1 });
  expect(spending.text).toBe("$0.03, 1 cached");
  expect(spending.toJSON()).toEqual({ calls: 2, cached: 1, cost: 0.03 });
  spending.note({ kind: "model-call", cached: false });
  expect(spending.text).toBe("$0.03, 1 of unknown cost, 1 cached");
  expect(spending.toJSON().cost).toBeNull();
});

test("an answer that could not be read is of unknown cost", () => {
  const spending = new Spending();
  spending.note({ kind: "attempt-failed", attempt: 1, isBilled: true });
  expect(spending.toJSON()).toEqual({ calls: 1, cached: 0, cost: null });
});

test("says which part of a cost is a forecast", () => {
  const spending = new Spending();
  spending.note({ kind: "model-call", cached: false, cost: 0.01 });
  expect(spending.toJSON()).not.toHaveProperty("forecast");
  spending.note({ kind: "model-call", cached: false, cost: 0.02, isForecast: true });
  expect(spending.toJSON()).toEqual({ calls: 2, cached: 0, cost: 0.03, forecast: 1 });
  expect(spending.text).toBe("$0.03, 1 by forecast");
});

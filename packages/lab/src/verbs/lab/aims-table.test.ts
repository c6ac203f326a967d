import { expect, test } from "vitest";
import { aimsTable } from "./aims-table.js";

test("what all weights together weigh stands in MB beside its aim", () => {
  const estimate = { value: 9.8765, low: null, high: null };
  const text = aimsTable(
    [
      {
        figure: "weights together",
        model: "all",
        aim: { most: 20 },
        unit: "MB",
        n: 11,
        estimate,
        outcome: "reached",
      },
    ],
    100,
  );
  expect(text).toMatch(/weights together, MB +all +11 +≤ 20 +9\.8\d* +reached/);
});

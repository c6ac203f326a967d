import { expect, test } from "vitest";
import { benchmarkKinds } from "./benchmark-kinds.js";
import { benchmarks } from "./benchmarks.js";

test("each benchmark has its kind, which says of cards what the benchmark does", () => {
  expect(Object.values(benchmarkKinds)).toEqual(
    benchmarks.map(({ name, recognises, cards }) => ({
      name,
      recognises,
      hasCards: cards !== undefined,
    })),
  );
});

import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { influenceSpread } from "../../stats/influence-error.js";
import { differenceSpreads } from "./correlation-intervals.js";
import { measured } from "./correlation-measures.js";

test("differences are the same however few columns are held at once", () => {
  const random = randomFrom(0, "differences of columns");
  const length = 90;
  const clusters = 30;
  const rows = Int32Array.from({ length }, (_, row) => row);
  const cluster = rows.map((row) => row % clusters);
  const ratings = Float64Array.from(rows, () => random.next());
  const columns = [1, 2, 3, 4, 5].map((noise) => {
    // The third is constant.
    const score = (row: number) => (noise === 3 ? 1 : (ratings[row] ?? 0) + noise * random.next());
    return { rows, measured: measured(Float64Array.from(rows, score), ratings, rows) };
  });
  const method = {
    method: "delta",
    level: 0.95,
    clusteredBy: "prompt",
    clusters,
    text: "delta",
  } as const;
  const few = [0, 1, 2, 4, 1000].map((held) =>
    differenceSpreads(columns, { cluster, clusters, method }, held * clusters),
  );
  for (let one = 0; one < columns.length; one++) {
    for (let other = one + 1; other < columns.length; other++) {
      const [mine, others] = [one, other].map((at) =>
        columns[at]?.measured.influence("kendallTauB"),
      );
      const apart = mine?.map((value, row) => value - (others?.[row] ?? 0));
      const expected =
        mine && others && apart ? influenceSpread(apart, cluster, clusters) : undefined;
      for (const spreads of few) {
        const found = spreads([one, other], 1);
        expect(found?.clusters).toBe(expected?.clusters);
        expect(found?.squares ?? 0).toBeCloseTo(expected?.squares ?? 0, 15);
        expect(found?.fourths ?? 0).toBeCloseTo(expected?.fourths ?? 0, 15);
        expect(spreads([other, one], 1)).toEqual(found);
      }
    }
  }
});

import { expect, test } from "vitest";
import { axisReading, sceneOf, textAt, ticksOf } from "../../../test/support/scene.js";
import { comparison } from "../../analysis/comparison/comparison.js";
import { randomFrom } from "../../core/random.js";
import { comparisonFigure } from "./figure.js";

const few = { resamples: 100, seed: 0 };

test("by people, counted and estimated win rates stand beside the metric's, in other shapes", async () => {
  const random = randomFrom("comparison");
  const rows = Array.from({ length: 80 }, (_, at) =>
    ["a", "b"].map((model) => {
      const score = random.next() + (model === "a" ? 0.2 : 0);
      return {
        model,
        prompt: `${at}`,
        score,
        human: at % 2 === 0 ? Math.round(score * 4) : null,
      };
    }),
  ).flat();
  const conclusion = comparison(rows, few);
  const scene = await sceneOf(comparisonFigure(conclusion).spec);
  const percent = axisReading(
    ticksOf(scene, "x", ({ y }) => y > 20),
    "x",
  );
  const drawn = scene.filter(({ kind, x }) => kind === "symbol" && x > 0).sort((a, b) => a.y - b.y);
  expect(drawn.map(({ shape }) => shape)).toEqual(["circle", "square", "diamond"]);
  const [people] = conclusion.humanCorrected?.pairs ?? [];
  expect(percent(drawn[0]?.x ?? 0)).toBeCloseTo((conclusion.pairs[0]?.winRate.value ?? 0) * 100, 0);
  expect(percent(drawn[1]?.x ?? 0)).toBeCloseTo((people?.counted.winRate ?? 0) * 100, 0);
  expect(percent(drawn[2]?.x ?? 0)).toBeCloseTo((people?.winRate.value ?? 0) * 100, 0);
  textAt(scene, "against b");
  textAt(scene, "80");
  textAt(scene, "40");
});

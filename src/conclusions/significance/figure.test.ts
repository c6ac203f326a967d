import { expect, test } from "vitest";
import { axisReading, sceneOf, textAt, ticksOf } from "../../../test/support/scene.js";
import { significance } from "../../analysis/calibration/significance.js";
import { palette } from "../../views/figures/palette.js";
import { significanceFigure } from "./figure.js";

test("a method that is worse by more than chance is a filled dot, another a hollow diamond", async () => {
  const rows = Array.from({ length: 30 }, (_, at) => {
    const about = { id: `${at}`, label: (at % 2) as 0 | 1 };
    const sure = (p: number) => (about.label === 1 ? p : 1 - p);
    return [
      { ...about, method: "best", probability: sure(0.9) },
      { ...about, method: "alike", probability: sure(at % 2 === 0 ? 0.92 : 0.87) },
      { ...about, method: "bad", probability: sure(0.2) },
    ];
  }).flat();
  const conclusion = significance(rows, { metrics: ["brier", "accuracy"], permutations: 500 });
  const scene = await sceneOf(significanceFigure(conclusion).spec);
  const beside = (name: string) =>
    scene.filter(({ kind, x, y }) => kind === "symbol" && x > 0 && y === textAt(scene, name).y);
  expect(beside("bad")).toMatchObject([{ shape: "circle", fill: palette.vermilion }]);
  expect(beside("alike")).toMatchObject([{ shape: "diamond", fill: palette.paper }]);
  const [test] = conclusion.tests.filter(({ method }) => method === "bad");
  const difference = axisReading(
    ticksOf(scene, "x", ({ y }) => y > 20),
    "x",
  );
  expect(difference(beside("bad")[0]?.x ?? 0)).toBeCloseTo(test?.difference ?? 9, 1);
  textAt(scene, "accuracy (more is better); best: alike");
});

import { expect, test } from "vitest";
import { axisReading, sceneOf, symbols, ticksOf } from "../../../test/support/scene.js";
import { stereotypes } from "../../analysis/stereotypes/stereotypes.js";
import { palette } from "../../views/figures/palette.js";
import { stereotypesFigure } from "./figure.js";

const few = { resamples: 100, seed: 0 };

test("before and after lie at their index, the difference with its interval beside them", async () => {
  const rows = ["q1", "q2", "q3"].flatMap((query, at) =>
    ["age", "dress"].flatMap((item, which) => {
      const about = { query, category: "work", model: "painter", imageSet: "1", item };
      return [
        { ...about, phase: "initial" as const, present: 1 as const },
        { ...about, phase: "refined" as const, present: at === which ? 1 : (0 as const) },
      ] as const;
    }),
  );
  const conclusion = stereotypes(rows, few);
  const scene = await sceneOf(stereotypesFigure(conclusion).spec);
  const index = axisReading(
    ticksOf(scene, "x", ({ x, y }) => x < 190 && y > 20),
    "x",
  );
  const of = (colour: string) => symbols(scene, colour).filter(({ y }) => y > 0);
  expect(index(of(palette.vermilion)[0]?.x ?? 9)).toBeCloseTo(1, 2);
  expect(index(of(palette.green)[0]?.x ?? 9)).toBeCloseTo(1 / 3, 2);
  const change = axisReading(
    ticksOf(scene, "x", ({ x, y }) => x > 205 && y > 20),
    "x",
  );
  const { value, low, high } = conclusion.overall.difference;
  expect(change(of(palette.blue)[0]?.x ?? 9)).toBeCloseTo(value ?? 9, 2);
  const line = scene.find(({ kind, stroke }) => kind === "rule" && stroke === palette.blue);
  expect(change(line?.x ?? 9)).toBeCloseTo(low ?? 9, 2);
  expect(change(line?.x2 ?? 9)).toBeCloseTo(high ?? 9, 2);
});

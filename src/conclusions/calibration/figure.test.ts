import { expect, test } from "vitest";
import {
  axisReading,
  type SceneMark,
  sceneOf,
  symbols,
  textAt,
  ticksOf,
} from "../../../test/support/scene.js";
import { calibration } from "../../analysis/calibration/calibration.js";
import { palette } from "../../views/figures/palette.js";
import { calibrationFigure } from "./figure.js";

const few = { resamples: 100, seed: 0 };

const rows = Array.from({ length: 40 }, (_, at) => ({
  id: `${at}`,
  label: at % 4 === 0 ? 0 : 1,
  probability: at < 20 ? 0.65 : 0.95,
}));
const conclusion = calibration([...rows, { id: "no", label: 1, probability: null }], few);

test("a bin's dot lies at its confidence and accuracy, and its number of answers below", async () => {
  const scene = await sceneOf(calibrationFigure(conclusion).spec);
  const confidence = axisReading(
    ticksOf(scene, "x", ({ x, y }) => x < 300 && y > 355),
    "x",
  );
  const accuracy = axisReading(
    ticksOf(scene, "y", ({ x, y }) => x < 0 && y < 300),
    "y",
  );
  const dots = symbols(scene, palette.blue).map(({ x, y }) => [
    Math.round(confidence(x)),
    Math.round(accuracy(y)),
  ]);
  expect(dots).toEqual([
    [65, 75],
    [95, 75],
  ]);
  const diagonal = scene.find(({ kind, dash, x2 }) => kind === "rule" && dash.length > 0 && x2);
  for (const [x, y] of [
    [diagonal?.x, diagonal?.y],
    [diagonal?.x2, diagonal?.y2],
  ]) {
    expect(confidence(x ?? 0)).toBeCloseTo(accuracy(y ?? 0), 0);
  }
  expect(scene.filter(({ text }) => text === "20").map(({ x }) => confidence(x))).toEqual(
    expect.arrayContaining([expect.closeTo(65, 0), expect.closeTo(95, 0)]),
  );
  textAt(scene, "n 40, 20 in each bin (grey bars). Unscored and in neither: 1 row.");
  expect(scene.some(({ text }) => /\(ECE\) 0\.15\d* \[/.test(text))).toBe(true);
});

test("the error-coverage curve ends at the error of all", async () => {
  const scene = await sceneOf(calibrationFigure(conclusion).spec);
  textAt(scene, "25.0 %");
  const right = ({ x }: SceneMark) => x > 300;
  const coverage = axisReading(
    ticksOf(scene, "x", (mark) => right(mark) && mark.y > 355),
    "x",
  );
  const [end] = symbols(scene, palette.vermilion);
  expect(coverage(end?.x ?? 0)).toBeCloseTo(100, 0);
  const line = scene.filter(({ kind }) => kind === "line");
  expect(line.map(({ x }) => Math.abs(Math.round(coverage(x))))).toEqual([0, 50, 100]);
});

import { expect, test } from "vitest";
import { axisReading, sceneOf, symbols, textAt, ticksOf } from "../../../test/support/scene.js";
import { contrastive } from "../../analysis/pairs/contrastive.js";
import { palette } from "../../views/figures/palette.js";
import { contrastiveFigure } from "./figure.js";

const few = { resamples: 100, seed: 0 };

const rows = [..."abcdefgh"].map((id, at) => ({
  id,
  metric: "m",
  domain: "animals",
  prompt: id,
  correct: at % 4,
  adversarial: 1.5,
}));
const conclusion = contrastive(rows, few);

test("dot and line lie where the axis says that rate and interval are", async () => {
  const scene = await sceneOf(contrastiveFigure(conclusion).spec);
  const { value, low, high } = conclusion.metrics.m?.overall.failureRate ?? {};
  const percent = axisReading(
    ticksOf(scene, "x", ({ y }) => y > 50),
    "x",
  );
  const [dot] = symbols(scene, palette.vermilion);
  expect(percent(dot?.x ?? 0)).toBeCloseTo((value ?? 0) * 100, 0);
  const line = scene.find(({ kind, stroke }) => kind === "rule" && stroke === palette.vermilion);
  expect(percent(line?.x ?? 0)).toBeCloseTo((low ?? 0) * 100, 0);
  expect(percent(line?.x2 ?? 0)).toBeCloseTo((high ?? 0) * 100, 0);
  expect(percent(textAt(scene, "chance").x)).toBeCloseTo(50, 0);
  expect(textAt(scene, "50.0 %").y).toBe(dot?.y);
});

test("a rate that is undefined stands with its reason, and unscored rows are told", async () => {
  const none = { id: "z", metric: "silent", domain: "animals", correct: null, adversarial: 1 };
  const scene = await sceneOf(contrastiveFigure(contrastive([...rows, none], few)).spec);
  expect(textAt(scene, "undefined: no scored rows").y).toBe(textAt(scene, "silent").y);
  textAt(scene, "Unscored and excluded: 1 row.");
});

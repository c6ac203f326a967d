import { expect, test } from "vitest";
import { type SceneMark, sceneOf, textAt } from "../../../test/support/scene.js";
import { agreement } from "../../analysis/agreement/agreement.js";
import { palette } from "../../views/figures/palette.js";
import { agreementFigure } from "./figure.js";

const few = { resamples: 100, seed: 0 };

const rate = (item: string, ratings: Readonly<Record<string, string | undefined>>) =>
  Object.entries(ratings).map(([annotator, value]) => ({ item, annotator, value }));
const rows = [
  ...rate("a", { x: "1", y: "1", z: "3", w: undefined }),
  ...rate("b", { x: "2", y: "2", z: "2", w: undefined }),
  ...rate("c", { x: "3", y: "2", z: "1", w: undefined }),
  ...rate("d", { x: "1", y: "1", z: "3", w: undefined }),
  ...rate("e", { w: "1" }),
];

test("a cell says kappa and n, is darker the more they agree, and orange below chance", async () => {
  const conclusion = agreement(rows, { scale: "ordinal", ...few });
  const { quadratic = [], annotators = [] } = conclusion.pairwise ?? {};
  const scene = await sceneOf(agreementFigure(conclusion).spec);
  const cells = scene.filter(({ kind }) => kind === "rect");
  expect(cells).toHaveLength(12);
  const [x, y, z] = ["x", "y", "z"].map((name) => annotators.indexOf(name));
  const good = quadratic[x ?? 9]?.[y ?? 9] ?? 0;
  const bad = quadratic[x ?? 9]?.[z ?? 9] ?? 0;
  expect(good).toBeGreaterThan(0);
  expect(bad).toBeLessThan(0);
  const [one] = scene.filter(({ text }) => text === good.toFixed(2));
  const [other] = scene.filter(({ text }) => text === bad.toFixed(2).replace("-", "−"));
  const cellOf = (mark: SceneMark | undefined) =>
    cells.find(
      (cell) =>
        mark !== undefined &&
        Math.abs((cell.x + (cell.x2 ?? 0)) / 2 - mark.x) < 1 &&
        Math.abs((cell.y + (cell.y2 ?? 0)) / 2 - mark.y) < 20,
    );
  expect(cellOf(one)).toMatchObject({ fill: palette.blue });
  expect(cellOf(one)?.opacity).toBeCloseTo(good * 0.55, 6);
  expect(cellOf(other)).toMatchObject({ fill: palette.vermilion });
  expect(scene.filter(({ text }) => text === "n 4")).toHaveLength(6);
  expect(scene.filter(({ text }) => text === "–")).toHaveLength(6);
  textAt(scene, "–: two annotators share no item.");
});

test("of very many annotators those with the most ratings are shown, and it says so", async () => {
  const many = Array.from({ length: 40 }, (_, at) =>
    Array.from({ length: at < 4 ? 2 : 3 }, (_, item) => ({
      item: `${item}`,
      annotator: `rater-${at}`,
      value: String((item * 7 + at) % 3),
    })),
  ).flat();
  const scene = await sceneOf(agreementFigure(agreement(many, { scale: "nominal", ...few })).spec);
  textAt(scene, "Shown: the 36 of 40 annotators with the most ratings.");
  expect(scene.filter(({ kind }) => kind === "rect")).toHaveLength(36 * 35);
  expect(scene.some(({ text }) => text.startsWith("rater-3 "))).toBe(false);
  expect(scene.some(({ text }) => text.startsWith("rater-39 "))).toBe(true);
});

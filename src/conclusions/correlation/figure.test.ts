import { expect, test } from "vitest";
import { axisReading, sceneOf, symbols, textAt, ticksOf } from "../../../test/support/scene.js";
import { correlation } from "../../analysis/correlation/correlation.js";
import { palette } from "../../views/figures/palette.js";
import { correlationFigure, groupedCorrelationFigure } from "./figure.js";

const few = { resamples: 100, seed: 0 };

const table = {
  human: "rating",
  metrics: ["follows", "constant"],
  rows: [1, 2, 2, 3, 5].map((human, at) => ({
    id: `${at}`,
    human,
    scores: [human * 10 + at, 7],
  })),
};

test("every row is a dot at its score and rating", async () => {
  const scene = await sceneOf(correlationFigure(correlation(table, few), table).spec);
  const dots = symbols(scene, palette.blue).slice(0, 5);
  // The panel that follows best is the first: left of where the second begins.
  const edge = textAt(scene, "constant").x - 40;
  const score = axisReading(
    ticksOf(scene, "x", ({ x, y }) => x < edge && y > 200),
    "x",
  );
  const rating = axisReading(
    ticksOf(scene, "y", ({ x, y }) => x < 0 && y < 235),
    "y",
  );
  const found = dots.map(({ x, y }) => [Math.round(score(x)), Math.round(rating(y))]);
  expect(found).toEqual(table.rows.map(({ human, scores }) => [scores[0], human]));
});

test("panels say tau with its interval and n, or why there is none", async () => {
  const scene = await sceneOf(correlationFigure(correlation(table, few), table).spec);
  expect(scene.some(({ text }) => /^τ 0\.\d+ \[-?\d\.\d+, 1\.\d+\]$/.test(text))).toBe(true);
  expect(scene.filter(({ text }) => text === "n 5")).toHaveLength(2);
  expect(scene.map(({ text }) => text).join(" ")).toContain(
    "τ undefined: the metric scored every row the same",
  );
});

test("of very many rows a sample is drawn, the same whatever their order, and it says so", async () => {
  const rows = Array.from({ length: 2500 }, (_, at) => ({
    id: `${at}`,
    human: at % 5,
    scores: [(at * 7919) % 2503],
  }));
  const many = { human: "rating", metrics: ["m"], rows };
  const conclusion = correlation(many, { interval: "delta" });
  const scene = await sceneOf(correlationFigure(conclusion, many).spec);
  expect(symbols(scene, palette.blue)).toHaveLength(2000);
  textAt(scene, "Drawn: 2,000 of the 2,500 rated rows, by chance (seed 0), the same for all.");
  textAt(scene, "n 2,500");
  const turned = { ...many, rows: [...rows].reverse() };
  expect(correlationFigure(conclusion, turned)).toEqual(correlationFigure(conclusion, many));
});

test("over groups values stand with their intervals", async () => {
  const conclusion = { ...correlation(table, few), groups: 3, seeds: 2 };
  const scene = await sceneOf(groupedCorrelationFigure(conclusion).spec);
  const value = axisReading(
    ticksOf(scene, "x", ({ y }) => y > 20),
    "x",
  );
  const [dot] = symbols(scene, palette.blue).slice(-1);
  expect(value(dot?.x ?? 0)).toBeCloseTo(conclusion.metrics.follows?.spearman.value ?? 9, 1);
  textAt(scene, "undefined: the metric scored every row the same");
});

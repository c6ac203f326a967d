import { expect, test } from "vitest";
import type {
  CardFigure,
  FigureId,
  FigureUnit,
} from "../../analysis/trust-card/trust-card-figure.js";
import { cardRanks, figureRanks } from "./figure-ranks.js";

const figure = (
  [value, low, high]: readonly [number | null, number | null, number | null],
  {
    expectation,
    unit = "share",
  }: { readonly expectation?: CardFigure["expectation"]; readonly unit?: FigureUnit } = {},
): CardFigure => ({
  id: "calibration",
  title: "a figure",
  status: "measured",
  sentence: "",
  of: "images",
  n: 10,
  unscored: 0,
  estimate: { name: "a share", unit, value, low, high },
  ...(expectation === undefined ? {} : { expectation }),
  further: {},
  behind: { source: "", rows: 0, examples: [] },
});
const below = { expectation: { high: 0.5, text: "< 50 %" } };
const above = { expectation: { low: 0.5, text: "> 50 %" } };
const around = { expectation: { low: -0.1, high: 0.1, text: "" } };

test("less is better below a bar, more above one, the middle within two", () => {
  const [a, b] = [[0.1, 0.05, 0.15] as const, [0.4, 0.3, 0.5] as const];
  const of = (how: typeof below | typeof above | typeof around) =>
    figureRanks([figure(a, how), figure(b, how)]).map((one) => one?.rank);
  expect(of(below)).toEqual(["best", "worst"]);
  expect(of(above)).toEqual(["worst", "best"]);
  expect(of(around)).toEqual(["best", "worst"]);
  const ends = [figure([-0.4, -0.5, -0.3], around), figure([0.1, 0, 0.2], around)];
  expect(figureRanks(ends).map((one) => one?.rank)).toEqual(["worst", "best"]);
});

test("a rank is clear where the interval meets no other's", () => {
  const ranks = figureRanks([
    figure([0.1, 0.05, 0.15], below),
    figure([0.3, 0.2, 0.4], below),
    figure([0.35, 0.3, 0.5], below),
  ]);
  expect(ranks).toEqual([{ rank: "best", isClear: true }, null, { rank: "worst", isClear: false }]);
});

test("what fails is never the best, and may be the worst", () => {
  const failing = (value: number) => ({
    ...figure([value, value - 0.05, value + 0.05], below),
    status: "fails" as const,
  });
  const ranks = figureRanks([failing(0.7), failing(0.9)]);
  expect(ranks.map((one) => one?.rank)).toEqual([undefined, "worst"]);
});

test("ties, figures alone and figures without a direction have no rank", () => {
  const one = figure([0.1, 0, 0.2], below);
  expect(figureRanks([one, one])).toEqual([null, null]);
  expect(figureRanks([one, undefined])).toEqual([null, null]);
  expect(figureRanks([figure([0.1, 0, 0.2]), figure([0.3, 0.2, 0.4])])).toEqual([null, null]);
  const seconds = { unit: "seconds" as const };
  const fast = figureRanks([figure([1, 1, 1], seconds), figure([2, 2, 2], seconds)]);
  expect(fast.map((rank) => rank?.rank)).toEqual(["best", "worst"]);
});

test("a metric that typical images mislead is not the best where the typical image is right", () => {
  const [few, many] = [figure([0.1, 0.05, 0.15], below), figure([0.4, 0.3, 0.5], below)];
  const biased = { ...many, status: "fails" as const };
  const cards = [
    { prototypicality: biased, reversedConflict: few, attributeConfusion: few },
    { prototypicality: few, reversedConflict: many, attributeConfusion: many },
  ];
  const ranks = (id: FigureId) => cardRanks(cards, id).map((one) => one?.rank);
  expect(ranks("reversedConflict")).toEqual([undefined, "worst"]);
  expect(ranks("attributeConfusion")).toEqual(["best", "worst"]);
});

import { expect, test } from "vitest";
import {
  type FailureRate,
  failureAxisEnd,
  failureRatesPlot,
  pairKinds,
  prototypicalityEffectPlot,
} from "../../benchmarks/prototypicality/figure.js";
import { scoreMeansPlot } from "../../benchmarks/prototypicality/scores-view.js";
import { svgOf as svgOfSpec } from "../../report/drawing/svg.js";
import type { Drawing } from "./figure.js";
import { palette } from "./palette.js";
import { type IntervalRow, placeRows } from "./place-rows.js";

const svgOf = ({ spec }: Drawing) => svgOfSpec(spec);
const estimate = (value: number, low: number, high: number) => ({ value, low, high });
const rate = (band: string, series: FailureRate["series"], value: number): FailureRate => ({
  band,
  metric: "clip-score",
  model: "lab:dual-encoder",
  series,
  n: 900,
  failureRate: estimate(value, value - 0.04, value + 0.04),
});

test("a plot says what it shows: title, axis with unit, value and n of every row", async () => {
  const svg = await svgOf(
    failureRatesPlot("Failure <rate>", [
      rate("animals", "triplet", 0.6124),
      rate("animals", "control: both atypical", 0.07),
      rate("objects", "control: both typical", 0.08),
    ]),
  );
  for (const text of [
    "Failure &lt;rate&gt;",
    "failure rate (% of pairs), with its 95 % interval",
    "61.2 %",
    "7.0 %",
    "900",
    "animals",
    "objects",
    "triplet",
    "lab:dual-encoder",
    "chance",
  ]) {
    expect(svg).toContain(`>${text}<`);
  }
  expect(svg).toMatch(/^<svg xmlns="[^"]*" viewBox="[\d. ]+" role="img" aria-label="Failure &lt;/);
});

test("a picture longer than a page shows at once has its axis above it, too", async () => {
  const axes = async (count: number) => {
    const rates = Array.from({ length: count }, (_, at) => rate(`domain ${at}`, "triplet", 0.47));
    const svg = await svgOf(failureRatesPlot("t", rates));
    return [...svg.matchAll(/>20</g)].length;
  };
  expect(await axes(3)).toBe(1);
  expect(await axes(30)).toBe(2);
});

test("the axis ends at 100 and shows chance where a rate comes near it, else above the highest", async () => {
  const low = rate("a", "triplet", 0.3);
  expect(failureAxisEnd([low])).toBe(40);
  expect(failureAxisEnd([low, rate("a", "triplet", 0.47)])).toBe(100);
  expect(failureAxisEnd([])).toBe(20);
  expect(await svgOf(failureRatesPlot("t", [low]))).not.toContain(">chance<");
  expect(await svgOf(failureRatesPlot("t", [low], 100))).toContain(">chance<");
});

test("none and all have a dotted line to their bound, never a bare dot", async () => {
  const none = {
    ...rate("a", "triplet", 0),
    failureRate: { ...estimate(0, 0, 0), oneSided: { low: 0, high: 0.31 } },
  };
  expect(failureAxisEnd([none])).toBe(40);
  const dotted = /<line[^>]* x2="(?!0")[\d.]+"[^>]*stroke-dasharray="2,3"/g;
  expect((await svgOf(failureRatesPlot("t", [none]))).match(dotted)).toHaveLength(1);
  const some = rate("a", "triplet", 0.3);
  expect((await svgOf(failureRatesPlot("t", [some]))).match(dotted)).toBeNull();
});

test("series differ in shape and filling, not in colour alone", async () => {
  const svg = await svgOf(
    failureRatesPlot("t", [
      rate("a", "triplet", 0.3),
      rate("a", "control: both atypical", 0.1),
      rate("a", "control: both typical", 0.2),
      rate("a", "reversed conflict", 0.05),
    ]),
  );
  const symbols = [...svg.matchAll(/ d="([^"]+)" fill="(#\w+)" stroke="(#\w+)"/g)];
  const looks = new Set(symbols.map(([, path, fill, stroke]) => [path, fill, stroke].join(" ")));
  expect(new Set(symbols.map(([, path]) => path)).size).toBe(4);
  expect(looks.size).toBe(4);
  const { vermilion, blue, green, ink, paper } = palette;
  const fillings = [
    [vermilion, vermilion],
    [paper, blue],
    [paper, green],
    [ink, ink],
  ];
  for (const look of fillings.map((each) => each.join(" "))) {
    expect([...looks].filter((one) => one.endsWith(look))).toHaveLength(1);
  }
});

test("title and legend stand at the left, where a page of 400 px shows them without scrolling", async () => {
  const svg = await svgOf(
    failureRatesPlot(
      "Failure rate by metric and domain",
      pairKinds.map(({ name }) => rate("a", name, 0.3)),
    ),
  );
  const widthOf = (text: string) => text.length * 6.6;
  for (const text of pairKinds.map(({ name }) => name)) {
    const at = new RegExp(`translate\\((-?[\\d.]+),(-?[\\d.]+)\\)"[^>]*>${text}<`).exec(svg);
    expect(Number(at?.[1]) + 206 + widthOf(text)).toBeLessThan(400);
    expect(Number(at?.[2])).toBeLessThan(-20);
  }
});

test("a plot has no colour that the page could not turn dark", async () => {
  const svgs = await Promise.all([
    svgOf(failureRatesPlot("t", [rate("a", "triplet", 0.3)])),
    svgOf(
      prototypicalityEffectPlot("t", [
        { band: "a", metric: "m", model: "", n: 9, effect: estimate(-0.1, -0.2, 0.05) },
      ]),
    ),
    svgOf(
      scoreMeansPlot({
        title: "t",
        unit: "P(yes)",
        means: [
          {
            domain: "animals",
            n: 9,
            meanCorrect: estimate(0.5, 0.4, 0.6),
            meanAdversarial: estimate(0.45, 0.4, 0.5),
          },
        ],
      }),
    ),
  ]);
  const known = new Set<string>(["none", "transparent", ...Object.values(palette)]);
  const used = svgs.flatMap((svg) => [...svg.matchAll(/(?:fill|stroke)="([^"]*)"/g)]);
  expect(used.length).toBeGreaterThan(30);
  expect(used.map(([, colour]) => colour).filter((colour) => !known.has(colour ?? ""))).toEqual([]);
});

test("what is undefined is left out, and a plot of nothing is still a plot", async () => {
  const nothing = { value: null, low: null, high: null, reason: "no scored rows" };
  const empty = { ...rate("a", "triplet", 0.3), failureRate: nothing };
  expect(await svgOf(failureRatesPlot("t", [empty]))).not.toContain("clip-score");
  expect(await svgOf(scoreMeansPlot({ title: "t", unit: "u", means: [] }))).toContain(">t<");
});

test("rows stand in the order of the series, blocks and bands in that of their first row", () => {
  const row = (band: string, name: string, series: string): IntervalRow => ({
    band,
    name,
    series,
    value: 1,
    low: 0,
    high: 2,
    label: "1",
    count: "9",
  });
  const { rows, bands, blocks, height } = placeRows(
    [
      row("b", "x", "second"),
      row("a", "x", "first"),
      row("b", "x", "first"),
      row("b", "y", "first"),
    ],
    ["first", "second"],
  );
  expect(rows.map(({ band, name, series }) => `${band} ${name} ${series}`)).toEqual([
    "b x first",
    "b x second",
    "b y first",
    "a x first",
  ]);
  expect(bands.map(({ band }) => band)).toEqual(["b", "a"]);
  expect(blocks).toHaveLength(3);
  const heights = rows.map(({ y }) => y);
  expect(heights).toEqual([...heights].sort((a, b) => a - b));
  expect(height).toBeGreaterThan(Math.max(...heights));
});

test("where names stand above their rows, the dashed line crosses none of them", async () => {
  const { spec, narrow } = failureRatesPlot("t", [
    rate("animals", "triplet", 0.6),
    rate("objects", "triplet", 0.4),
  ]);
  const svg = await svgOfSpec(narrow ?? spec);
  const dashed = /translate\([\d.]+,([\d.]+)\)" x2="0" y2="([\d.-]+)"[^>]*dasharray="3,3"/g;
  const lines = [...svg.matchAll(dashed)].map(([, y, down]) => [
    Number(y),
    Number(y) + Number(down),
  ]);
  const names =
    /translate\([^,]+,([\d.]+)\)"[^>]*>(?:animals|objects|clip-score|lab:dual-encoder)</g;
  const heights = [...svg.matchAll(names)].map(([, y]) => Number(y));
  expect(lines).toHaveLength(2);
  expect(heights).toHaveLength(6);
  const isCrossed = (y: number) =>
    lines.some((ends) => Math.min(...ends) < y && y < Math.max(...ends));
  expect(heights.filter(isCrossed)).toEqual([]);
});

import { emptyFigure, type Figure } from "touchstone-t2i/internal/views/figures/figure.js";
import {
  type Layers,
  noteHeight,
  noteLines,
  placedWords,
  titleLook,
  viewsFrame,
  words,
} from "touchstone-t2i/internal/views/figures/marks.js";
import { palette } from "touchstone-t2i/internal/views/figures/palette.js";
import { placeBeside } from "touchstone-t2i/internal/views/figures/place-rows.js";
import { fitted, wrapped } from "touchstone-t2i/internal/views/figures/text-width.js";
import type { ProtoScoreComparison } from "./comparison.js";
import { alignmentEnds, inPoints, letterOf } from "./proto-score-text.js";

const title = "Prejudice against alignment";
const letterSize = 12;
const keyLine = 18;

/** Where the parts stand, in pixels. */
interface Layout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly keyWidth: number;
  /** Whether the names stand below the picture; else at its right. */
  readonly isNarrow: boolean;
}

const wide: Layout = { width: 400, height: 300, left: 62, keyWidth: 260, isNarrow: false };
const narrow: Layout = { width: 270, height: 260, left: 58, keyWidth: 324, isNarrow: true };
const top = 40;
const bottom = 46;

/**
 * Each metric as a point with both its intervals: how much oftener it fails triplets than reversed
 * conflicts, against how well it tells right from wrong images of no benchmark. The dashed line is no
 * prejudice; up and on the line is what training is for.
 */
export function prejudiceFigure(comparison: ProtoScoreComparison): Figure {
  const points = comparison.methods.flatMap((method, at) => {
    const [x, y] = [inPoints(method.prejudice), method.alignment.value.value];
    if (x === null || y === null) return [];
    const { low: left, high: right } = method.prejudice.value;
    const { low, high } = method.alignment.value;
    return [
      {
        letter: letterOf(at),
        name: method.says,
        x,
        y,
        left: left === null ? x : 100 * left,
        right: right === null ? x : 100 * right,
        low: low ?? y,
        high: high ?? y,
      },
    ];
  });
  if (points.length === 0) return emptyFigure(title, "nothing was scored");
  const ends = alignmentEnds(comparison.methods);
  const drawn = (layout: Layout) => drawing(points, ends, layout);
  return {
    title,
    caption:
      "Right of the dashed line a metric prefers the typical image, left of it the atypical one. Upwards it tells right from wrong images of no benchmark better. Bars are 95 % intervals.",
    spec: drawn(wide),
    narrow: drawn(narrow),
  };
}

interface Point {
  readonly letter: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

function drawing(
  points: readonly Point[],
  [floor, ceiling]: readonly [number, number],
  { width, height, left, keyWidth, isNarrow }: Layout,
) {
  const x = {
    type: "quantitative" as const,
    scale: { domain: [-100, 100], nice: false },
    axis: {
      title: isNarrow
        ? "triplets minus reversed failed, points"
        : "prejudice: triplets minus reversed conflicts failed (points)",
      tickCount: 5,
    },
  };
  const y = {
    type: "quantitative" as const,
    scale: { domain: [floor, ceiling], nice: false, zero: false },
    axis: { title: "ordinary alignment (AUC)", tickCount: 5, format: ".2f" },
  };
  const pixels = points.map((point) => ({
    x: ((point.x + 100) / 200) * width,
    y: height * ((ceiling - point.y) / (ceiling - floor)),
    text: point.letter,
  }));
  const names = points.flatMap(({ letter, name }) =>
    (isNarrow
      ? wrapped(`${letter}  ${name}`, keyWidth, letterSize, 2)
      : [fitted(`${letter}  ${name}`, keyWidth, letterSize)]
    ).map((text) => text),
  );
  const keyTop = isNarrow ? height + bottom + 12 : 10;
  const below = isNarrow ? bottom + 12 + names.length * keyLine : bottom;
  const key = names.map((text, at) => ({ y: keyTop + at * keyLine, text }));
  const bar = { type: "rule" as const, color: palette.muted, strokeWidth: 1.4 };
  const layer: Layers = [
    { data: { values: [{ y: -24, text: title }] }, ...words("text", -left + 8, titleLook) },
    {
      data: { values: [{ at: 0 }] },
      mark: { type: "rule", color: palette.muted, strokeDash: [3, 3] },
      encoding: { x: { field: "at", ...x } },
    },
    {
      data: { values: points },
      mark: bar,
      encoding: { x: { field: "left", ...x }, x2: { field: "right" }, y: { field: "y", ...y } },
    },
    {
      data: { values: points },
      mark: bar,
      encoding: { x: { field: "x", ...x }, y: { field: "low", ...y }, y2: { field: "high" } },
    },
    {
      data: { values: points },
      mark: { type: "point", filled: true, size: 50, opacity: 1, color: palette.blue },
      encoding: { x: { field: "x", ...x }, y: { field: "y", ...y } },
    },
    {
      data: { values: placeBeside(pixels, pixels, letterSize) },
      ...placedWords({ align: "center", fontSize: letterSize, fontWeight: 600 }),
    },
    {
      data: { values: key },
      ...words("text", isNarrow ? -left + 8 : width + 22, { align: "left", fontSize: letterSize }),
    },
    noteLines(isNarrow ? [] : ["Dashed: no prejudice."], {
      x: -left + 8,
      y: height + bottom + 8,
    }),
  ];
  const right = isNarrow ? 14 : keyWidth + 22;
  return {
    description: `${title}; ${points.map(({ letter, name }) => `${letter} ${name}`).join("; ")}`,
    ...viewsFrame(
      { width, height },
      { left, right, top, bottom: below + (isNarrow ? 0 : noteHeight + 8) },
    ),
    width,
    height,
    layer,
  };
}

import type { Estimate } from "../../stats/estimate.js";
import { estimateText } from "../number-text.js";
import { fitted, textWidth, wrapped } from "./text-width.js";

/** Where an estimate stands, and what stands beside it. */
export interface RowPlace {
  /** The band of the plot, such as a domain; "" for a band without a heading. */
  readonly band: string;
  /** The block within the band, such as a metric: a name and, below it, what it stands on. */
  readonly name: string;
  readonly under?: string;
  readonly series: string;
  /** Printed at the right: the value with its unit, and n. */
  readonly label: string;
  readonly count: string;
}

/** One estimate: a mark at `value` with a line from `low` to `high`. */
export interface IntervalRow extends RowPlace {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The line is no interval but goes to a one-sided bound. */
  readonly isBound?: boolean;
}

/** An estimate that is undefined, with what stands in its place. */
export interface MissingRow extends RowPlace {
  readonly reason: string;
}

/** An estimate as a row, with its value in words; one that is undefined says why. */
export function estimateRow(
  place: Omit<RowPlace, "label">,
  { value, low, high, reason }: Estimate,
): IntervalRow | MissingRow {
  if (value === null) return { ...place, label: "–", reason: reason ?? "it is 0 / 0" };
  const label = estimateText({ value, low: null, high: null });
  return { ...place, value, low: low ?? value, high: high ?? value, label };
}

const bandHeight = 30;
export const rowHeight = 18;
const blockGap = 10;
const leastBlock = 30;
const nameWidth = 196;
const nameSize = 12;
const lineHeight = 14;

/**
 * Gives every band, block and row its place, in pixels from the top. Bands and blocks keep the
 * order of their first row; rows within a block have the order of `series`. A block's name stands
 * left of its rows, or above them in `headingWidth` pixels where that is given.
 */
export function placeRows<Row extends RowPlace>(
  rows: readonly Row[],
  series: readonly string[],
  { headingWidth }: { readonly headingWidth?: number | undefined } = {},
) {
  const placed: (Row & { y: number })[] = [];
  const bands: { y: number; band: string }[] = [];
  const blocks: { y: number; name: string }[] = [];
  const unders: { y: number; under: string }[] = [];
  const rules: { y: number }[] = [];
  let top = 0;
  for (const band of distinct(rows.map((row) => row.band))) {
    const ofBand = rows.filter((row) => row.band === band);
    rules.push({ y: top + 2 });
    if (band !== "") {
      const heading = headingWidth === undefined ? band : fitted(band, headingWidth, nameSize);
      bands.push({ y: top + bandHeight / 2 + 2, band: heading });
    }
    top += band === "" ? blockGap : bandHeight;
    for (const block of distinct(ofBand.map(blockOf))) {
      const ofBlock = ofBand.filter((row) => blockOf(row) === block);
      const inOrder = series.flatMap((name) => ofBlock.filter((row) => row.series === name));
      const { name = "", under = "" } = ofBlock[0] ?? {};
      const lines = wrapped(name, headingWidth ?? nameWidth, nameSize, 2);
      const small = under === "" ? [] : wrapped(under, headingWidth ?? nameWidth, nameSize, 2);
      const lineCount = lines.length + small.length;
      const rowsHeight = inOrder.length * rowHeight;
      const isBeside = headingWidth === undefined;
      const height = isBeside
        ? Math.max(leastBlock, rowsHeight, lineCount * lineHeight)
        : lineCount * lineHeight + rowsHeight;
      const first = top + (isBeside ? (height - rowsHeight) / 2 : height - rowsHeight);
      const middle = isBeside
        ? top + height / 2 - ((lineCount - 1) * lineHeight) / 2
        : top + lineHeight / 2;
      lines.forEach((line, at) => {
        blocks.push({ y: middle + at * lineHeight, name: line });
      });
      small.forEach((line, at) => {
        unders.push({ y: middle + (lines.length + at) * lineHeight, under: line });
      });
      for (const [at, row] of inOrder.entries()) {
        placed.push({ ...row, y: first + (at + 0.5) * rowHeight });
      }
      top += height + blockGap;
    }
  }
  return { rows: placed, bands, blocks, unders, rules, height: top };
}

const distinct = (names: readonly string[]) => [...new Set(names)];
const blockOf = ({ name, under }: RowPlace) => JSON.stringify([name, under]);

/** A point in pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Half the width and height of a mark, with air around it. */
const markReach = 7;

const tall = Math.sqrt(3) / 2;

/** Twelve directions, from the right against the clock. */
const around = [
  [1, 0],
  [tall, 0.5],
  [0.5, tall],
  [0, 1],
  [-0.5, tall],
  [-tall, 0.5],
  [-1, 0],
  [-tall, -0.5],
  [-0.5, -tall],
  [0, -1],
  [0.5, -tall],
  [tall, -0.5],
] as const;

const rings = [14, 21, 29, 38];

/**
 * Where the middle of each label stands beside its point: as near as it can, at the right first, so that
 * labels cover neither each other nor marks. Where there is no such place it covers as few as it can.
 *
 * @param points with the label of each, one after the other
 * @param marks all that is drawn, the points themselves among it
 */
export function placeBeside<Labelled extends Point & { readonly text: string }>(
  points: readonly Labelled[],
  marks: readonly Point[],
  fontSize: number,
): Labelled[] {
  const placed: Labelled[] = [];
  for (const point of points) {
    const halfWidth = textWidth(point.text, fontSize) / 2;
    const halfHeight = fontSize / 2;
    const covered = ({ x, y }: Point) =>
      marks.filter(
        (mark) =>
          Math.abs(mark.x - x) < halfWidth + markReach &&
          Math.abs(mark.y - y) < halfHeight + markReach,
      ).length +
      placed.filter(
        (other) =>
          Math.abs(other.x - x) < halfWidth + textWidth(other.text, fontSize) / 2 + 2 &&
          Math.abs(other.y - y) < fontSize + 1,
      ).length;
    const places = rings.flatMap((ring) =>
      around.map(([right, up]) => {
        const at = { x: point.x + ring * right, y: point.y - ring * up };
        return { at, covered: covered(at) };
      }),
    );
    const [first] = places;
    if (first === undefined) continue;
    const best = places.reduce(
      (least, place) => (place.covered < least.covered ? place : least),
      first,
    );
    placed.push({ ...point, ...best.at });
  }
  return placed;
}

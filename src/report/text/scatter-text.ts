import { fixedText } from "../../views/number-text.js";

/** A point of a picture in letters; left out where a coordinate is unknown. */
export interface ScatterPoint {
  readonly letter: string;
  readonly x: number | null;
  readonly y: number | null;
}

interface Axis {
  readonly title: string;
  readonly ends: readonly [low: number, high: number];
}

const height = 12;
const margin = 7;
const mostColumns = 61;

/**
 * Points as letters on a grid of characters, with a dotted line where x is 0. Points that fall on one place
 * stand beside each other as far as there is room.
 *
 * @param options.width of the terminal, in columns
 */
export function scatterText(
  points: readonly ScatterPoint[],
  { width, x, y }: { readonly width: number; readonly x: Axis; readonly y: Axis },
): string {
  const columns = Math.min(mostColumns, width - margin - 1);
  const place = (value: number, { ends: [low, high] }: Axis, cells: number) =>
    Math.round(((Math.min(high, Math.max(low, value)) - low) / (high - low)) * (cells - 1));
  const middle = place(0, x, columns);
  const grid = Array.from({ length: height }, () =>
    Array.from({ length: columns }, (_, at): string => (at === middle ? "·" : " ")),
  );
  for (const { letter, x: across, y: up } of points) {
    if (across === null || up === null) continue;
    const row = grid[height - 1 - place(up, y, height)];
    const at = freePlace(row ?? [], place(across, x, columns));
    if (row !== undefined && at !== undefined) row[at] = letter;
  }
  const labelOf = (row: number) => {
    const [low, high] = y.ends;
    const isTold = row === 0 || row === height - 1;
    return (isTold ? fixedText(row === 0 ? high : low, 2) : "").padStart(margin - 2);
  };
  const [from, to] = x.ends.map((end) => fixedText(end, 0));
  const ends = `${from}${"0".padStart(middle + 1 - (from ?? "").length)}`;
  return [
    y.title,
    ...grid.map((row, at) => `${labelOf(at)} │${row.join("")}`.trimEnd()),
    `${" ".repeat(margin - 1)}└${"─".repeat(columns)}`,
    `${" ".repeat(margin)}${ends}${(to ?? "").padStart(columns - ends.length)}`,
    `${" ".repeat(margin)}${x.title}`,
  ].join("\n");
}

/** The nearest place of a row without a letter. */
function freePlace(row: readonly string[], wanted: number): number | undefined {
  const free = row.flatMap((mark, at) => (mark === " " || mark === "·" ? [at] : []));
  return free.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
}

/** One estimate: a mark at `value` with a line from `low` to `high`. */
export interface IntervalRow {
  /** The band of the plot, such as a domain; "" for a band without a heading. */
  readonly band: string;
  /** The block within the band, such as a metric: a name and, below it, what it stands on. */
  readonly name: string;
  readonly under?: string;
  readonly series: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The line is no interval but goes to a one-sided bound. */
  readonly isBound?: boolean;
  /** Printed at the right: the value with its unit, and n. */
  readonly label: string;
  readonly count: string;
}

const bandHeight = 30;
const rowHeight = 18;
const blockGap = 10;
const leastBlock = 30;
/** As many letters of 12 px as surely fit beside the plot. */
const longestName = 30;

/**
 * Gives every band, block and row its place, in pixels from the top. Bands and blocks keep the
 * order of their first row; rows within a block have the order of `series`.
 */
export function placeRows(rows: readonly IntervalRow[], series: readonly string[]) {
  const placed: (IntervalRow & { y: number })[] = [];
  const bands: { y: number; band: string }[] = [];
  const blocks: { y: number; name: string; under: string }[] = [];
  const rules: { y: number }[] = [];
  let top = 0;
  for (const band of distinct(rows.map((row) => row.band))) {
    const ofBand = rows.filter((row) => row.band === band);
    rules.push({ y: top + 2 });
    if (band !== "") bands.push({ y: top + bandHeight / 2 + 2, band });
    top += band === "" ? blockGap : bandHeight;
    for (const block of distinct(ofBand.map(blockOf))) {
      const ofBlock = ofBand.filter((row) => blockOf(row) === block);
      const inOrder = series.flatMap((name) => ofBlock.filter((row) => row.series === name));
      const height = Math.max(leastBlock, inOrder.length * rowHeight);
      const first = top + (height - inOrder.length * rowHeight) / 2;
      const name = shortened(ofBlock[0]?.name ?? "");
      const under = shortened(ofBlock[0]?.under ?? "");
      blocks.push({ y: top + height / 2 - (under === "" ? 0 : 7), name, under });
      for (const [at, row] of inOrder.entries()) {
        placed.push({ ...row, y: first + (at + 0.5) * rowHeight });
      }
      top += height + blockGap;
    }
  }
  return { rows: placed, bands, blocks, rules, height: top };
}

/** Long names lose their middle: models differ at the beginning and at the end. */
function shortened(name: string): string {
  if (name.length <= longestName) return name;
  const half = Math.floor((longestName - 1) / 2);
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}

const distinct = (names: readonly string[]) => [...new Set(names)];
const blockOf = ({ name, under }: IntervalRow) => JSON.stringify([name, under]);

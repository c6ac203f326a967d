import type { Estimate } from "../../stats/estimate.js";
import { fixedText } from "../number-text.js";
import type { IntervalRow, MissingRow, RowPlace } from "./place-rows.js";

/** Note in a plot's caption about the lines that are no intervals. */
export const dashNote =
  "Where none fails, or all do, a dotted line goes to the one-sided 95 % bound in place of an interval.";

const boundNote =
  "At 0 or 100 % a dotted line goes to the one-sided 95 % bound in place of an interval.";
const bareDotNote = "A dot without a line: the data give no interval.";

/** A share, or a difference of shares, as a plot draws it in percent; undefined ones are not drawn. */
export function percentLine({
  value,
  low,
  high,
  oneSided,
}: Estimate): Pick<IntervalRow, "value" | "low" | "high" | "isBound"> | undefined {
  if (value === null) return undefined;
  const line = oneSided ?? { low: low ?? value, high: high ?? value };
  return {
    value: value * 100,
    low: line.low * 100,
    high: line.high * 100,
    isBound: oneSided !== undefined,
  };
}

/** A share as a row of a plot in percent, with its value in words; one that is undefined says why. */
export function percentRow(
  place: Omit<RowPlace, "label">,
  estimate: Estimate,
): IntervalRow | MissingRow {
  const line = percentLine(estimate);
  return line === undefined
    ? { ...place, label: "–", reason: estimate.reason ?? "it is 0 / 0" }
    : { ...place, ...line, label: `${fixedText(line.value, 1)} %` };
}

/** Notes below rows about the lines that some of them have, or lack. */
export function lineNotes(rows: readonly (IntervalRow | MissingRow)[]): string[] {
  const drawn = rows.flatMap((row) => ("value" in row ? [row] : []));
  return [
    ...(drawn.some(({ isBound }) => isBound) ? [boundNote] : []),
    ...(drawn.some(({ low, high }) => low === high) ? [bareDotNote] : []),
  ];
}

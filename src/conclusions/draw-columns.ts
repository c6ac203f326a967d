import type { RowDraws } from "../analysis/inference/row-draws.js";
import { codesWithNone } from "../core/row-codes.js";
import type { TextColumn } from "../core/text-column.js";
import { type NumberKind, numeric, optionalText } from "../tables/columns.js";

const drawn = (isIn: (value: number) => boolean, expected: string): NumberKind<number | null> => ({
  ...numeric,
  isRequired: false,
  isNumber: isIn,
  isAmount: true,
  read(cell, about) {
    const read = numeric.read(cell, about);
    const value = "value" in read ? read.value : undefined;
    return value === null || (value !== undefined && isIn(value)) ? { value } : { expected };
  },
});

/** Columns that `label plan` writes: how an item was drawn. */
export const drawKinds = {
  weight: drawn((value) => value > 0, "a weight above 0 or nothing"),
  stratum: optionalText,
  round: drawn((value) => value >= 1, "a round from 1 on or nothing"),
};

/**
 * The probability with which an item was drawn, of tables whose column `probability` may be something else: what is
 * none is no answer.
 */
const drawProbability: NumberKind<number | null> = {
  ...numeric,
  isRequired: false,
  column: "probability",
  read(cell, about) {
    const read = numeric.read(cell, about);
    const value = "value" in read ? read.value : null;
    return { value: value !== null && value > 0 && value <= 1 ? value : null };
  },
};

/** The same of tables that have no other `probability`: 1 / probability stands in for a weight that is missing. */
export const drawKindsWithProbability = { ...drawKinds, drawProbability };

/** Names of what `label plan` writes beside a table's own columns. */
export const drawNames: readonly string[] = ["probability", ...Object.keys(drawKinds)];

export interface DrawColumns {
  readonly weight: Float64Array;
  readonly stratum: TextColumn;
  readonly round: Float64Array;
  readonly drawProbability?: Float64Array;
}

/**
 * How the rows of a table were drawn; undefined where none of its columns says so. A column probability without a
 * stratum or a round beside it may be any probability, so it says nothing.
 */
export function drawsOfRows({
  columns: { weight, stratum, round, drawProbability },
  has,
}: {
  readonly columns: DrawColumns;
  has(column: "weight" | "stratum" | "round"): boolean;
}): RowDraws | undefined {
  const isDrawn = has("stratum") || has("round");
  const probability = drawProbability !== undefined && isDrawn ? drawProbability : undefined;
  if (!has("weight") && probability === undefined) return undefined;
  const weights = weight.map((given, row) =>
    Number.isNaN(given) ? 1 / (probability?.[row] ?? Number.NaN) : given,
  );
  if (weights.every(Number.isNaN)) return undefined;
  return {
    weight: weights,
    stratum: codesWithNone(stratum).codes,
    round: round.map((given) => (Number.isNaN(given) ? 1 : given)),
  };
}

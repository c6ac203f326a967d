import { readFileSync } from "node:fs";
import type { SetOfFigures } from "../analysis/evidence/across-sets.js";

/** Figures of sets as data/evidence/figures.json holds them. */
export interface ShippedSet extends SetOfFigures {
  readonly repository: string;
  readonly year: number;
  readonly licence: string;
  /** SHA-256 of the list of the set's hashes. */
  readonly data: string;
  readonly conventions: Readonly<Record<string, string>>;
  readonly trainedOnIt: readonly string[];
  readonly printed: readonly PrintedFigure[];
}

/** A figure that authors printed, beside ours. */
export interface PrintedFigure {
  readonly what: string;
  readonly printed: number;
  readonly right: number | null;
  readonly why: string;
}

/** Raised whenever the same data give other figures. */
const version = 1;

export interface ShippedFigures {
  readonly version: number;
  readonly sets: readonly ShippedSet[];
}

/** Reads the figures that the package ships; a test recomputes them where the data lie. */
export const shippedFigures = (): ShippedFigures =>
  JSON.parse(
    readFileSync(new URL("../../data/evidence/figures.json", import.meta.url), "utf8"),
  ) as ShippedFigures;

const digits = 6;

/** The text of figures.json: numbers to six digits, a line for each metric. */
export function figuresText(sets: readonly ShippedSet[]): string {
  const rounded = (name: string, value: unknown) => {
    if (name === "check") return undefined;
    return typeof value === "number" && !Number.isInteger(value)
      ? Number(value.toPrecision(digits))
      : value;
  };
  const lines = sets.map((set) => JSON.stringify(set, rounded));
  return `{"version":${version},"sets":[\n${lines.join(",\n")}\n]}\n`;
}

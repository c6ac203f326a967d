import type { TableGuess } from "../../../src/conclusions/guess-table.js";
import type { Argument, Filled } from "../../../src/core/options.js";
import type { View } from "../../../src/views/view.js";

export type Flag = Exclude<Argument, { kind: "positional" }>;

/** A verb as its form shows it. */
export interface AnalysisVerb {
  readonly name: string;
  readonly title: string;
  /** Columns that it must find under these names, or others that are mapped to them. */
  readonly columns: readonly string[];
  /** Its flags, those about the file left out. */
  readonly flags: Readonly<Record<string, Flag>>;
}

/** A column as the first rows show it. */
export interface SeenColumn {
  readonly type: "number" | "text" | "nothing";
  /** Up to three of its cells, each once. */
  readonly examples: readonly string[];
}

/** A table as its first rows show it. */
export interface SeenTable {
  /** By the names of columns. */
  readonly about: Readonly<Record<string, SeenColumn>>;
  /** Words that are read as no answer, such as n/a: how many cells hold each, and in which columns. */
  readonly missing: readonly {
    readonly word: string;
    readonly cells: number;
    readonly columns: readonly string[];
  }[];
  /** How many rows were looked at, and whether these are all. */
  readonly seen: { readonly rows: number; readonly isAll: boolean };
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly guesses: readonly TableGuess[];
}

/** A conclusion, ready to be shown and kept. */
export interface Analysed {
  readonly view: View;
  /** The command line that concludes the same. */
  readonly command: string;
  /** Output of --json. */
  readonly json: string;
  readonly csv: string;
  readonly plot: DrawnPlot | undefined;
}

/** The picture of a conclusion that has one. */
export interface DrawnPlot {
  readonly svg: string;
  /** The same for a narrow page, where there is one. */
  readonly narrow: string | undefined;
  readonly description: string;
  readonly caption: string;
}

/** Failure to read or conclude from a table, as a person should read it. */
export interface AnalysisProblem {
  readonly message: string;
  readonly hint: string | undefined;
  readonly problems: readonly string[];
}

/** Questions to the worker, and its answers. */
export interface Questions {
  /** The table that `touchstone example NAME` prints. */
  readonly sample: { readonly asks: string; readonly gets: string };
  readonly look: { readonly asks: File; readonly gets: SeenTable };
  readonly conclude: {
    readonly asks: { readonly verb: string; readonly filled: Filled };
    readonly gets: Analysed;
  };
}

export type Question = {
  [Kind in keyof Questions]: {
    readonly id: number;
    readonly kind: Kind;
    readonly asks: Questions[Kind]["asks"];
  };
}[keyof Questions];

export type Reply =
  | { readonly id: number; readonly gets: Questions[keyof Questions]["gets"] }
  | { readonly id: number; readonly problem: AnalysisProblem };

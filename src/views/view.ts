import type { Estimate } from "../stats/estimate.js";
import type { CellTable, TableCell } from "../tables/cell-table.js";

/** From what to what something goes; null where that is not known. */
export interface Range {
  readonly low: number | null;
  readonly high: number | null;
}

/** Words with a look: `under` stands smaller on a line below, `right` and `wrong` are told by colour as well. */
export interface Marked {
  readonly text: string;
  readonly as: "code" | "em" | "strong" | "small" | "under" | "right" | "wrong" | "open" | "link";
  /** Where a link leads. */
  readonly to?: string;
}

/** Plain words, or words of which some have a look. */
export type Words = string | { readonly words: readonly (string | Marked)[] };

export const as = (look: Exclude<Marked["as"], "link">, text: string): Marked => ({
  text,
  as: look,
});

/** @example said`${as("em", "Own")} attributes should be seen.` */
export const said = (
  pieces: TemplateStringsArray,
  ...values: readonly (string | Marked)[]
): Words => ({
  words: pieces.flatMap((piece, at) => {
    const before = values[at - 1];
    return before === undefined ? [piece] : [before, piece];
  }),
});

/** A name, and what tells it from its namesakes below it. */
export const named = (name: string, ...below: readonly string[]): Words => ({
  words: [name, ...below.filter((one) => one !== "").map((text) => as("under", text))],
});

/** Words without their looks. */
export const plainText = (words: Words): string =>
  typeof words === "string"
    ? words
    : words.words
        .map((one) =>
          typeof one === "string" ? one : `${one.as === "under" ? " " : ""}${one.text}`,
        )
        .join("");

/**
 * What a cell holds, unrounded: its column says how it is printed. Null is undefined ("–"). A text is
 * printed as it is in whatever column: "" where there is nothing to say.
 */
export type Cell = Words | number | null | Estimate | Range;

export interface ViewColumn {
  /** The header in files. */
  readonly id: string;
  readonly title: string;
  /**
   * How a cell is printed: a count as a whole number; a number with three significant figures, or with
   * `decimals`; a share (0 to 1) as percent with one decimal; p as a p-value.
   */
  readonly kind: "text" | "count" | "number" | "percent" | "p";
  /** What cells hold beside a value, or in its place: an interval (an `Estimate`), or a range alone. */
  readonly spread?: "interval" | "range";
  /** The headers of both ends in files, where they are not `idLow` and `idHigh`. */
  readonly ends?: readonly [low: string, high: string];
  /** Decimals of a number that is no estimate. */
  readonly decimals?: number;
  /** A narrow terminal leaves out others before it. */
  readonly isEssential?: boolean;
  /** A cell that is the one above is printed once. */
  readonly isGroup?: boolean;
  /** Of the first column, a group: a page has it across the table, above its rows. */
  readonly isBand?: boolean;
  /** Neighbours with the same one share it as a heading above theirs. */
  readonly heading?: string;
  /** The studio offers its texts to choose rows by. */
  readonly facet?: Facet;
  /** What stands below its names: a column and facet of its own where rows are chosen. */
  readonly under?: "model";
}

/** By what rows of a report's tables can be chosen, in the order in which a page offers them. */
export const facets = ["domain", "errorType", "category", "metric", "model", "generator"] as const;
export type Facet = (typeof facets)[number];

export interface ViewTable {
  readonly title: string;
  readonly columns: readonly ViewColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** How to read it. */
  readonly note?: string;
  /** Stands beside the first table where a terminal leaves the details out. */
  readonly isHeadline?: boolean;
}

/** What is found, as data: a terminal, a page and a file each show it in their own way. */
export interface View {
  /** The verdict, in a sentence or two. */
  readonly verdict: string;
  /** Further findings, a sentence each; they stand below the verdict. */
  readonly findings?: readonly string[];
  readonly tables: readonly ViewTable[];
  /** Images to look at, below the tables. */
  readonly pictures?: readonly ViewPictures[];
  /** Caveats, a sentence each. */
  readonly caveats: readonly string[];
  /** How its intervals or p-values were made, a sentence. */
  readonly method: string;
}

/** Images of one text. */
export interface ViewPictures {
  readonly title: string;
  readonly text: string;
  readonly images: readonly {
    /** As a table names it. */
    readonly file: string;
    readonly alternative: string;
    /** Where a reader elsewhere finds it. */
    readonly address?: string;
  }[];
}

/** A view with the table that files hold, a row for each thing reported. */
export interface ViewWithData extends View {
  readonly data: Pick<ViewTable, "columns" | "rows">;
}

/** Two images for one text, and what a metric and people say of each. */
export interface ImagePair {
  /** Why this pair is shown. */
  readonly why: string;
  readonly text: string;
  readonly sides: readonly [first: ImageSide, second: ImageSide];
  readonly metric: string;
  /** Whether the metric has the two in people's order; null where people do not tell. */
  readonly isAsPeople: boolean | null;
}

export interface ImageSide {
  /** Who made it. */
  readonly name: string;
  /** Its file, as a table names it. */
  readonly image: string;
  readonly score: number;
  readonly human: number | null;
}

type Look = Partial<Omit<ViewColumn, "title" | "kind">>;

/** A column whose header in files is its title, if nothing else is said. */
const column = (title: string, kind: ViewColumn["kind"], look: Look = {}): ViewColumn => ({
  id: title,
  title,
  kind,
  ...look,
});

export const textColumn = (title: string, look?: Look) => column(title, "text", look);
export const countColumn = (title: string, look?: Look) => column(title, "count", look);
export const numberColumn = (title: string, look?: Look) => column(title, "number", look);
export const percentColumn = (title: string, look?: Look) => column(title, "percent", look);
export const probabilityColumn = (title: string, look?: Look) => column(title, "p", look);

/**
 * A table as files hold it, unrounded: an estimate takes the columns `id`, `idLow` and `idHigh`, a range
 * the latter two.
 */
export const dataCells = ({ columns, rows }: Pick<ViewTable, "columns" | "rows">): CellTable => ({
  columns: columns.flatMap(headersOf),
  rows: rows.map((row) => columns.flatMap((column, at) => cellsOf(row[at] ?? null, column))),
});

function headersOf({ id, spread, ends = [`${id}Low`, `${id}High`] }: ViewColumn): string[] {
  if (spread === undefined) return [id];
  return spread === "range" ? [...ends] : [id, ...ends];
}

function cellsOf(cell: Cell, { spread }: ViewColumn): TableCell[] {
  const plain =
    typeof cell === "object" && cell !== null && "words" in cell ? plainText(cell) : cell;
  const { value, low, high } = isPlain(plain)
    ? { value: plain, low: null, high: null }
    : { value: null, ...plain };
  if (spread === undefined) return [value];
  return spread === "range" ? [low, high] : [value, low, high];
}

const isPlain = (cell: Estimate | Range | string | number | null): cell is string | number | null =>
  cell === null || typeof cell !== "object";

import { decimalNumber, isLost } from "../core/read-json.js";

/** Reading of one cell: a value, or what it should have been. */
export type Cell<Value> = { readonly value: Value } | { readonly expected: string };

/**
 * A kind of column. `read` is given a cell as the format holds it: always text in CSV
 * (`isText`), else a value of its own type.
 */
export interface ColumnKind<Value> {
  /** Whether a table without it is refused. */
  readonly isRequired: boolean;
  /** What a table in columns makes of it; default: its values as they are. */
  readonly holds?: "text" | "numbers" | "lists";
  /** The column that it reads, where that is another than it is asked for by: no map names one. */
  readonly column?: string;
  /** Whether any text with more than spaces is read as itself. */
  readonly isAnyText?: boolean;
  /** Given where a cell of plain digits is read as the number that they are: tests if it may be that one. */
  readonly isNumber?: (value: number) => boolean;
  /** Whether its numbers are counts or weights, of which no 99 stands for no answer. */
  readonly isAmount?: boolean;
  read(cell: unknown, about: { readonly isText: boolean }): Cell<Value>;
}

/** A kind of texts; a table in columns holds each text once. */
export interface TextKind<Value extends string | null | undefined> extends ColumnKind<Value> {
  readonly holds: "text";
}

/** A kind of numbers; a table in columns holds NaN for none. */
export interface NumberKind<Value extends number | null | undefined> extends ColumnKind<Value> {
  readonly holds: "numbers";
}

/** A kind of lists of numbers, or of one number; a table in columns holds NaN for none. */
export interface ListKind<Value extends number | null | readonly (number | null)[]>
  extends ColumnKind<Value> {
  readonly holds: "lists";
}

/** Names to column kinds, and the row they make. */
export type ColumnKinds = Readonly<Record<string, ColumnKind<unknown>>>;
export type RowOf<Kinds extends ColumnKinds> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends ColumnKind<infer Value> ? Value : never;
};

/** Reads a column of texts, none of them empty. Numbers, such as ids, become text, and so do times, true and false. */
export const text: TextKind<string> = {
  holds: "text",
  isAnyText: true,
  isRequired: true,
  read(cell) {
    const value = textOf(cell);
    return value === undefined ? { expected: "text" } : { value };
  },
};

/** Text that may be missing or empty. */
export const optionalText: TextKind<string | undefined> = {
  holds: "text",
  isAnyText: true,
  isRequired: false,
  read: (cell) => (isNothing(cell) ? { value: undefined } : text.read(cell, { isText: true })),
};

/** Sums and differences of numbers beyond it could be infinite. */
const largest = 1e300;

/** Whole numbers beyond it are not held exactly. */
const largestWhole = Number.MAX_SAFE_INTEGER;

/** One nearer to 0 would be read as 0, which nobody gave. */
const smallest = "0, a number no nearer to it than 5e-324, or nothing";

/**
 * Reads a column of scores: a number, or 1 and 0 for true and false; null where the cell is empty, or a word for
 * nothing such as NA, n/a or -.
 */
export const score: NumberKind<number | null> = {
  holds: "numbers",
  isRequired: true,
  isNumber: (value) => Math.abs(value) <= largestWhole,
  read(cell, { isText }) {
    const given = typeof cell === "string" ? cell.trim() : cell;
    if (isNothing(given) || isNotAvailable(given)) return { value: null };
    if (typeof given === "boolean") return { value: Number(given) };
    if (typeof given === "string" && isBoolean(given)) return { value: classNamed(given) ?? null };
    const value = isText && typeof given === "string" ? decimalNumber(given) : given;
    if (value === 0 && typeof given === "string" && isLost(given)) return { expected: smallest };
    if (typeof value !== "number" || !Number.isFinite(value)) {
      return { expected: "a number or nothing" };
    }
    if (typeof given === "string" && Math.abs(value) > largestWhole && /^[+-]?\d+$/.test(given)) {
      return { expected: "a number that can be held exactly (whole ones up to 2^53) or nothing" };
    }
    return Math.abs(value) <= largest
      ? { value }
      : { expected: "a number of ordinary size (from -1e300 to 1e300) or nothing" };
  },
};

/**
 * The same in a column that the user named for its numbers: a number as text is as good, as a table
 * that was CSV before may hold it.
 */
export const numeric: NumberKind<number | null> = {
  ...score,
  read: (cell) => score.read(cell, { isText: true }),
};

const classWords: ReadonlyMap<string, 0 | 1> = new Map([
  ["yes", 1],
  ["true", 1],
  ["no", 0],
  ["false", 0],
]);

/** Which of two classes a cell names: 1 for yes and true, 0 for no and false, in any case. */
export const classNamed = (cell: unknown): 0 | 1 | undefined =>
  typeof cell === "string" || typeof cell === "boolean"
    ? classWords.get(String(cell).trim().toLowerCase())
    : undefined;

/** The judgement of a person: a number, or one of two classes by its name. */
export const rating: NumberKind<number | null> = {
  ...numeric,
  read(cell, about) {
    const value = classNamed(cell);
    return value === undefined ? numeric.read(cell, about) : { value };
  },
};

/**
 * 0 or 1, as numbers or as yes and no or true and false, or null where the cell is empty: nobody gave an
 * answer.
 */
export const answer: NumberKind<0 | 1 | null> = {
  holds: "numbers",
  isRequired: true,
  read(cell) {
    const read = rating.read(cell, { isText: true });
    const value = "value" in read ? read.value : undefined;
    return value === null || value === 0 || value === 1
      ? { value }
      : { expected: "0, 1 or nothing" };
  },
};

/** The same where the column may be missing. */
export const optionalAnswer: NumberKind<0 | 1 | null> = { ...answer, isRequired: false };

/** Reads a column of probabilities: a number from 0 to 1, or null where the cell is empty. */
export const probability: NumberKind<number | null> = {
  holds: "numbers",
  isRequired: true,
  isNumber: (value) => value >= 0 && value <= 1,
  read(cell, about) {
    const read = score.read(cell, about);
    const value = "value" in read ? read.value : undefined;
    return value === null || (value !== undefined && value >= 0 && value <= 1)
      ? { value }
      : { expected: "a number from 0 to 1 or nothing" };
  },
};

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): TextKind<Word> {
  return {
    holds: "text",
    isRequired: true,
    read(cell) {
      const value = words.find((word) => word === cell);
      return value === undefined ? { expected: words.join(" or ") } : { value };
    },
  };
}

/** The same where the cell may be missing or empty. */
export const optionalOneOf = <const Word extends string>(
  words: readonly Word[],
): TextKind<Word | undefined> => ({
  holds: "text",
  isRequired: false,
  read: (cell, about) => (isNothing(cell) ? { value: undefined } : oneOf(words).read(cell, about)),
});

/** Whether a text is true or false in any case, as pandas, R and spreadsheets write it. */
export const isBoolean = (text: string) => /^(true|false)$/i.test(text);

const isNothing = (cell: unknown) =>
  cell === undefined || cell === null || (typeof cell === "string" && cell.trim() === "");

/** What people, spreadsheets, R, Python or SQL write where nobody gave an answer, in small letters. */
export const notAvailableWords = [
  "na",
  "#na",
  "n/a",
  "#n/a",
  "nan",
  "null",
  "<na>",
  "none",
  "-",
] as const;
const notAvailable = new RegExp(`^(${notAvailableWords.join("|")})$`, "i");

/** Tells whether a cell is one of `notAvailableWords`, or NaN. */
export const isNotAvailable = (cell: unknown) =>
  Number.isNaN(cell) || (typeof cell === "string" && notAvailable.test(cell.trim()));

function textOf(cell: unknown): string | undefined {
  if (isNothing(cell)) return undefined;
  if (typeof cell === "string") return cell;
  if (typeof cell === "boolean") return String(cell);
  if (cell instanceof Date && !Number.isNaN(cell.getTime())) return cell.toISOString();
  return typeof cell === "number" && Number.isFinite(cell) ? String(cell) : undefined;
}

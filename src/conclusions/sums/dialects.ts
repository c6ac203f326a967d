/** How an engine's SQL writes what the others write in another way. */
export interface Dialect {
  readonly number: string;
  readonly text: string;
  /** The number without its fraction, toward 0. */
  whole(number: string): string;
  /** NULL in place of NaN. */
  nullForNaN(number: string): string;
  /** A column's name, in the small letters in which it is read. */
  name(column: string): string;
  /** The hash of a text, as hexadecimal digits. */
  hash(text: string): string;
  /** Keyword that keeps the engine from storing a named part; empty where it has none. */
  readonly anew: string;
}

const nullIfNaN = (type: string) => (number: string) => `NULLIF(${number}, CAST('NaN' AS ${type}))`;
const asItIs = (column: string) => column;
const md5 = (text: string) => `MD5(${text})`;
const trunc = (number: string) => `TRUNC(${number})`;

/** The engines that `query --print` writes for. */
export const dialects = {
  duckdb: {
    number: "DOUBLE",
    text: "VARCHAR",
    whole: trunc,
    nullForNaN: nullIfNaN("DOUBLE"),
    name: asItIs,
    hash: md5,
    anew: "NOT MATERIALIZED ",
  },
  spark: {
    number: "DOUBLE",
    text: "STRING",
    whole: (number) => `SIGN(${number}) * FLOOR(ABS(${number}))`,
    nullForNaN: nullIfNaN("DOUBLE"),
    name: asItIs,
    hash: md5,
    anew: "",
  },
  bigquery: {
    number: "FLOAT64",
    text: "STRING",
    whole: trunc,
    nullForNaN: (number) => `IF(IS_NAN(${number}), NULL, ${number})`,
    name: asItIs,
    hash: (of) => `TO_HEX(MD5(${of}))`,
    anew: "",
  },
  snowflake: {
    number: "DOUBLE",
    text: "VARCHAR",
    whole: trunc,
    nullForNaN: nullIfNaN("DOUBLE PRECISION"),
    name: (column) => `"${column}"`,
    hash: md5,
    anew: "",
  },
  postgres: {
    number: "DOUBLE PRECISION",
    text: "TEXT",
    whole: trunc,
    nullForNaN: nullIfNaN("DOUBLE PRECISION"),
    name: asItIs,
    hash: md5,
    anew: "NOT MATERIALIZED ",
  },
} as const satisfies Readonly<Record<string, Dialect>>;

export type DialectName = keyof typeof dialects;
export const dialectNames = Object.keys(dialects) as [DialectName, ...DialectName[]];

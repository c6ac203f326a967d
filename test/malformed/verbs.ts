import { expect } from "vitest";

/** A verb that reads a table, with a small sound one. */
export interface TableVerb {
  /** The words before the file. */
  readonly name: string;
  /** What else its command line needs. */
  readonly words: readonly string[];
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** A column of numbers that every row must have. */
  readonly number: string;
  /** A column that the table can't do without, where that is not the one of numbers. */
  readonly needs?: string;
  /** A column of names. */
  readonly text: string;
  /**
   * What --json says of the sound table, worked out by hand; or, of a verb that needs more than its
   * table, what it is refused for once the table is read.
   */
  readonly holds: object | RegExp;
  /** Whether true and false are refused among its numbers, in place of being 1 and 0. */
  readonly refusesTrue?: boolean;
  /** Whether a row of JSON may lack every column, and then says nothing. */
  readonly mayLackAll?: boolean;
  /** Whether the same row may stand there twice. */
  readonly mayRepeat?: boolean;
}

const fast = ["--resamples", "100"];

export const tableVerbs: readonly TableVerb[] = [
  {
    name: "analyze contrastive",
    words: fast,
    header: ["id", "metric", "domain", "correct", "adversarial"],
    rows: [
      ["t1", "clip", "animals", 0.7, 0.8],
      ["t2", "clip", "animals", 0.9, 0.2],
      ["t3", "clip", "objects", 0.5, 0.5],
      ["t4", "clip", "objects", 0.25, 0.125],
    ],
    holds: { metrics: { clip: { overall: { n: 4, ties: 1, failureRate: { value: 0.5 } } } } },
    number: "correct",
    text: "domain",
  },
  {
    name: "analyze swap",
    words: fast,
    header: ["id", "metric", "original", "swapped"],
    rows: [
      ["t1", "clip", 0.7, 0.8],
      ["t2", "clip", 0.9, 0.2],
      ["t3", "clip", 0.5, 0.5],
      ["t4", "clip", 0.25, 0.125],
    ],
    holds: { metrics: { clip: { n: 4, failures: 1, ties: 1, failureRate: { value: 0.25 } } } },
    number: "original",
    text: "metric",
  },
  {
    name: "analyze preferences",
    refusesTrue: true,
    words: fast,
    header: ["prompt", "a", "b", "preferred"],
    rows: [
      ["p1", "m", "n", "a"],
      ["p2", "m", "n", "b"],
      ["p3", "m", "n", "a"],
      ["p4", "n", "m", "tie"],
    ],
    holds: { n: 4, ties: 1, models: { m: { wins: 2, losses: 1 }, n: { wins: 1, losses: 2 } } },
    number: "preferred",
    text: "prompt",
    mayRepeat: true,
  },
  {
    name: "analyze raters",
    words: fast,
    header: ["item", "annotator", "value", "seconds"],
    rows: [
      ["i1", "ada", "yes", 4],
      ["i1", "ben", "yes", 5],
      ["i2", "ada", "no", 8],
      ["i2", "ben", "yes", 6],
    ],
    holds: { n: 4, items: 2, annotators: 2, categories: ["no", "yes"] },
    number: "seconds",
    needs: "value",
    text: "annotator",
  },
  {
    name: "analyze correlation",
    mayLackAll: true,
    words: ["--human", "rating", "--metrics", "clip", ...fast],
    header: ["id", "rating", "clip"],
    rows: [
      ["a", 5, 0.9],
      ["b", 3, 0.4],
      ["c", 4, 0.6],
      ["d", 1, 0.5],
    ],
    holds: { metrics: { clip: { n: 4, spearman: { value: expect.closeTo(0.8, 12) } } } },
    number: "clip",
    text: "id",
    mayRepeat: true,
  },
  {
    name: "analyze agreement",
    refusesTrue: true,
    words: ["--scale", "interval", ...fast],
    header: ["item", "annotator", "value"],
    rows: [
      ["i1", "ada", 5],
      ["i1", "ben", 4],
      ["i2", "ada", 1],
      ["i2", "ben", 1],
    ],
    holds: { items: 2, annotators: 2, ratings: 4, majorityShare: 0.75 },
    number: "value",
    text: "annotator",
  },
  {
    name: "analyze calibration",
    words: fast,
    header: ["id", "label", "probability"],
    rows: [
      ["p1", 1, 0.9],
      ["p2", 0, 0.4],
      ["p3", 1, 0.25],
      ["p4", 0, 0.125],
    ],
    holds: { n: 4, accuracy: 0.75, brier: 0.18703125 },
    number: "probability",
    text: "id",
  },
  {
    name: "analyze significance",
    words: ["--permutations", "100"],
    header: ["id", "method", "label", "probability"],
    rows: [
      ["p1", "old", 1, 0.4],
      ["p2", "old", 0, 0.4],
      ["p1", "new", 1, 0.9],
      ["p2", "new", 0, 0.2],
    ],
    holds: { n: 4, unscored: 0, methods: ["old", "new"] },
    number: "probability",
    text: "method",
  },
  {
    name: "analyze stereotypes",
    words: fast,
    header: ["query", "category", "model", "phase", "imageSet", "item", "present"],
    rows: [
      ["a nurse", "work", "m", "initial", "s1", "gender", 1],
      ["a nurse", "work", "m", "refined", "s1", "gender", 0],
      ["a cook", "work", "m", "initial", "s1", "gender", 1],
      ["a cook", "work", "m", "refined", "s1", "gender", 1],
    ],
    holds: { categories: { work: { initial: 1, refined: 0.5 } } },
    number: "present",
    text: "query",
  },
  {
    name: "analyze attributes",
    words: fast,
    header: ["image", "entity", "attribute", "kind", "probability"],
    rows: [
      ["a.png", "shirt", "red", "reflection", 0.9],
      ["a.png", "shirt", "blue", "leakage", 0.2],
      ["b.png", "skirt", "red", "reflection", 0.4],
      ["b.png", "skirt", "blue", "leakage", 0.6],
    ],
    holds: { pooled: { tp: 1, fp: 1, tn: 1, fn: 1, f1: 0.5 } },
    number: "probability",
    text: "entity",
    mayRepeat: true,
  },
  {
    name: "compare",
    words: fast,
    header: ["model", "prompt", "score"],
    rows: [
      ["a", "a cat", 1],
      ["a", "a dog", 0.5],
      ["b", "a cat", 0.25],
      ["b", "a dog", 0.75],
    ],
    holds: { models: { a: { n: 2, mean: { value: 0.75 } }, b: { n: 2, mean: { value: 0.5 } } } },
    number: "score",
    text: "prompt",
    mayRepeat: true,
  },
  {
    name: "analyze ensemble",
    refusesTrue: true,
    words: ["--permutations", "100", ...fast],
    header: ["id", "split", "label", "probabilities"],
    rows: [
      ["v1", "validation", 1, "[0.9]"],
      ["v2", "validation", 0, "[0.2]"],
      ["t1", "test", 1, "[0.75]"],
      ["t2", "test", 0, "[0.25]"],
    ],
    holds: {
      n: 2,
      unscored: 0,
      prompts: 1,
      methods: { best: { intervalsOf: { accuracy: { value: 1 }, brier: { value: 0.0625 } } } },
    },
    number: "probabilities",
    text: "id",
  },
  ...[
    { name: "lab experiment ensemble", holds: /^Expected pairs of both labels to judge on/ },
    { name: "lab experiment no-preference", holds: /^Expected at least 5 prompts/ },
    { name: "lab experiment claims", holds: /^Expected pairs of both labels to fit on/ },
  ].map((verb) => ({
    ...verb,
    refusesTrue: true,
    words: [],
    header: ["id", "label", "probabilities", "embedding"],
    rows: [
      ["p1", 1, "[0.9]", "[1]"],
      ["p2", 0, "[0.2]", "[0.5]"],
    ],
    number: "probabilities",
    text: "id",
  })),
  {
    name: "calibrate",
    refusesTrue: true,
    words: ["--model", "lab:judge"],
    header: ["id", "caption", "image_a", "image_b", "preferred"],
    rows: [
      ["p1", "a cat", "a.png", "b.png", "a"],
      ["p2", "a dog", "c.png", "d.png", "tie"],
    ],
    holds: /^4 of 4 images can't be judged$/,
    number: "preferred",
    text: "id",
  },
  {
    name: "calibrate",
    words: ["--model", "lab:vqa"],
    header: ["image", "question", "answer"],
    rows: [
      ["a.png", "Is there a cat?", "yes"],
      ["b.png", "Is there a dog?", "no"],
    ],
    holds: /^2 of 2 images can't be judged$/,
    number: "answer",
    text: "image",
  },
  {
    name: "calibrate",
    words: ["--model", "lab:rater", "--pool", "ordinal-4"],
    header: ["image", "text", "rating"],
    rows: [
      ["a.png", "a cat", 4],
      ["b.png", "a dog", 1],
    ],
    holds: /^2 of 2 images can't be judged$/,
    number: "rating",
    text: "image",
  },
];

type Row = readonly (string | number)[];

/** Lines of cells, as they stand. */
export const separated = (lines: readonly Row[], delimiter = ",", end = "\n") =>
  lines.map((cells) => `${cells.join(delimiter)}${end}`).join("");

export const csvOf = ({ header, rows }: TableVerb) => separated([header, ...rows]);

/** The same rows as objects. */
export const objectsOf = ({ header, rows }: TableVerb): Record<string, unknown>[] =>
  rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]])));

export const jsonlOf = (objects: readonly unknown[]) =>
  objects.map((each) => `${JSON.stringify(each)}\n`).join("");

/** The verb's table with another cell in its second row. */
export function withCell(verb: TableVerb, column: string, cell: string | number): TableVerb {
  const at = verb.header.indexOf(column);
  const rows = verb.rows.map((row, index) => (index === 1 ? row.with(at, cell) : row));
  return { ...verb, rows };
}

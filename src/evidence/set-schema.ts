import { z } from "zod";
import { questionKinds } from "../analysis/evidence/evidence-table.js";

/**
 * A number of a row. As a text, the path to it ("human_scores.0"; "" is the row; lists within texts are opened).
 *
 * - `words`: numbers for texts; other texts are no answer. `match`: a pattern whose group is the number.
 * - `minus`: a path whose number is subtracted. `plus`, `times`: applied in this order.
 * - `take`: what becomes of a list; its least number, or their mean.
 * - `unless`: no answer where the text at a path begins so.
 * - `question`, `parents`: of an item's several rows, which question this is, and on which it depends (ids joined
 *   by commas): it is 0 where one of these is (Davidsonian Scene Graph).
 */
const value = z.union([
  z.string(),
  z.strictObject({
    of: z.string(),
    words: z.record(z.string(), z.number()).optional(),
    match: z.string().optional(),
    minus: z.string().optional(),
    plus: z.number().optional(),
    times: z.number().optional(),
    take: z.enum(["min", "mean"]).optional(),
    unless: z.record(z.string(), z.string()).optional(),
    question: z.string().optional(),
    parents: z.string().optional(),
  }),
]);

/** A text of a row: "{text_id}/{model}" with paths or captured parts in braces; of `match` the groups, joined by "/". */
const text = z.union([z.string(), z.strictObject({ text: z.string(), match: z.string() })]);

/** Templates of names, and the number of each. */
const values = z.record(z.string(), value).default({});

/**
 * How rows of some files join the table. Rows of one `item` join, in whatever file; a metric's several rows
 * of an item are averaged, people's are one rater each.
 *
 * - `file`: a path with captured parts in braces, such as "results/{judge}/pairwise.json".
 * - `rows`: of JSON, where rows stand; each star captures a key as {0}, {1}.
 * - `each`: reads a row once for each of these columns, which is {column} and the value {generator}.
 * - `rater`: who answered; raters without names are told apart by their order.
 * - `names`: what captured parts are called in the names of metrics and judges.
 */
const reading = z.strictObject({
  file: z.string(),
  rows: z.string().default("*"),
  each: z.record(z.string(), z.string()).optional(),
  names: z.record(z.string(), z.string()).default({}),
  item: text,
  prompt: text.optional(),
  generator: text.optional(),
  rater: text.optional(),
  people: z.array(value).default([]),
  metrics: values,
  votes: values,
  probabilities: values,
});

/** Lines as sha256sum writes them, with the bytes between: "SHA-256 BYTES PATH". */
const files = z.string().transform((listed, context) =>
  listed
    .trim()
    .split("\n")
    .map((line) => {
      const [, sha256 = "", bytes = "", path = ""] =
        /^([0-9a-f]{64}) (\d+) (\S.*)$/.exec(line.trim()) ?? [];
      if (path === "") context.addIssue(`"${line}" is no line "SHA-256 BYTES PATH"`);
      return { path, sha256, bytes: Number(bytes) };
    }),
);

/** A published set: data/evidence/NAME.yaml. */
export const setSchema = z.strictObject({
  title: z.string(),
  holds: z.string(),
  /** owner/name on GitHub. */
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** When the newest judge or metric was asked, as far as it is known. */
  year: z.int(),
  licence: z.string(),
  isNonCommercial: z.boolean().default(false),
  asked: z.strictObject({
    for: z.enum(questionKinds),
    question: z.string(),
    scale: z.string(),
    raters: z.string(),
  }),
  /** What intervals resample. */
  cluster: z.string(),
  isPairs: z.boolean().default(false),
  /** Another set of the same images. */
  sameImagesAs: z.string().optional(),
  files,
  reads: z.array(reading),
  /** The convention of a metric: backbone, template, statistic. */
  conventions: z.record(z.string(), z.string()).default({}),
  /** Metrics that were trained on images or answers of this set. */
  trainedOnIt: z.array(z.string()).default([]),
  traps: z.array(z.string()).default([]),
  /** Figures that the authors printed, and how ours of the same name compares. */
  printed: z
    .array(
      z.strictObject({
        what: z.string(),
        metric: z.string(),
        /** A member of the metric's figures, such as spearman. */
        figure: z.string(),
        printed: z.number(),
        where: z.string(),
        why: z.string(),
      }),
    )
    .default([]),
  /** What other verbs call its columns, and commands that recompute figures. */
  tables: z
    .strictObject({
      file: z.string(),
      columns: z.record(z.string(), z.string()),
      commands: z.array(
        z.strictObject({
          computes: z.string(),
          words: z.array(z.string()),
          gives: z.record(z.string(), z.number()).optional(),
        }),
      ),
    })
    .optional(),
});

export type EvidenceSet = z.output<typeof setSchema> & { readonly name: string };
export type Reading = EvidenceSet["reads"][number];
export type ValueOf = z.output<typeof value>;
export type TextOf = z.output<typeof text>;

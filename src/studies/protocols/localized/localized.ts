import { z } from "zod";
import { withArticles } from "../../../core/articles.js";
import { InputError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import { optionalOneOf, optionalText, text } from "../../../tables/columns.js";
import { listColumn } from "../../../tables/list-column.js";
import { besideCells, besideText } from "../beside-text.js";
import { byItem } from "../by-item.js";
import type { AnswerTable, CountedAnswer, ItemRow, Protocol, TableCell } from "../protocol.js";
import { localizedForm } from "./localized-label-studio.js";
import { localizedMetric } from "./localized-metric.js";
import { localizedRows } from "./localized-rows.js";

const box = listColumn({
  isItem: (item): item is number => typeof item === "number" && Number.isFinite(item) && item >= 0,
  expected: "a box [x, y, width, height] in pixels",
});

const said = z.strictObject({ value: z.enum(["yes", "no", "cannot-tell"]) });

/**
 * One question about one entity, which it names, of an image (L-VQAScore, section 3.1). People see the whole
 * image, as what a metric's own localiser found would make that metric its own reference. Reflection and
 * leakage questions are mixed and look alike.
 */
export const localized: Protocol = {
  name: "localized",
  version: 1,
  columns: {
    id: text,
    image: text,
    entity: optionalText,
    attribute: optionalText,
    kind: optionalOneOf(["reflection", "leakage"]),
    question: optionalText,
    mask: optionalText,
    box,
  },
  items: (rows) =>
    rows.map(({ row, beside, find }) => ({
      id: String(row.id),
      images: [String(row.image)],
      content: {
        entity: wordOf(row.entity),
        attribute: wordOf(row.attribute),
        kind: wordOf(row.kind),
        question: questionIn(row),
        mask: wordOf(row.mask),
        box: Array.isArray(row.box) ? row.box : null,
      },
      beside,
      find,
    })),
  rowsOf: localizedRows,
  present: ({ item: { content }, settings, names: [image = ""] }) => ({
    image,
    question: content.question ?? "",
    ...(settings.view === "box" && content.box !== null ? { box: content.box ?? null } : {}),
  }),
  answer: () => said,
  recorded: (answer) => answer,
  known: (value) => {
    const known = ["yes", "no"].find((word) => word === value.trim().toLowerCase());
    return known === undefined ? undefined : { value: known };
  },
  value: ({ value }) => (typeof value === "string" ? value : null),
  asMetric: localizedMetric,
  labelStudio: localizedForm,
  tables: { attributes, correlation, calibrate },
  undecided: (answers, table) =>
    table === "correlation" || table === "calibrate"
      ? byItem(answers).filter((one) => majority(one.answers).isYes === undefined).length
      : 0,
};

const saidYes = (answer: JsonObject | null): 1 | 0 | null =>
  answer?.value === "yes" ? 1 : answer?.value === "no" ? 0 : null;

/** What most people answer to a question; undefined where as many say yes as no. */
function majority(answers: readonly CountedAnswer[]) {
  const votes = answers.flatMap(({ answer }) => saidYes(answer) ?? []);
  const yes = votes.filter((vote) => vote === 1).length;
  return {
    votes: votes.length,
    isYes: 2 * yes === votes.length ? undefined : 2 * yes > votes.length,
  };
}

const wordOf = (cell: unknown): string | null => (typeof cell === "string" ? cell : null);

/** @throws InputError for a row with neither a question nor an entity with attribute and kind. */
function questionIn({ id, entity, attribute, kind, question }: ItemRow["row"]): string {
  if (typeof question === "string") return question;
  if (typeof entity === "string" && typeof attribute === "string" && typeof kind === "string") {
    return withArticles(`Does the image show a ${attribute} ${entity}?`);
  }
  throw new InputError(
    `Expected entity, attribute and kind, or a question, for item ${id} but it lacks some`,
  );
}

/** @throws InputError where a question is about no attribute of an entity. */
function questionOf({ item }: CountedAnswer) {
  const { entity, attribute, kind } = item.content;
  if (typeof entity !== "string" || typeof attribute !== "string" || typeof kind !== "string") {
    throw new InputError(
      `Expected entity, attribute and kind of the study's items but ${item.id} has only a question`,
      { hint: "Write the table for calibrate: --table calibrate" },
    );
  }
  return { image: item.sources[0] ?? item.id, entity, attribute, kind };
}

/** One row a question with what most people answered, as `calibrate` takes labels. */
function calibrate(answers: readonly CountedAnswer[]): AnswerTable {
  return byItem(answers).flatMap(({ item, answers: own }) => {
    const { votes, isYes } = majority(own);
    if (isYes === undefined) return [];
    return [
      {
        id: item.id,
        image: item.sources[0] ?? null,
        question: String(item.content.question),
        answer: isYes ? "yes" : "no",
        votes,
      },
    ];
  });
}

/** One row an answer; one that can't tell is no answer. */
function attributes(answers: readonly CountedAnswer[]): AnswerTable {
  return answers.map((answer) => ({
    ...questionOf(answer),
    probability: saidYes(answer.answer),
    annotator: answer.participant,
    ...(besideText(answer.item, "prompt") === undefined
      ? {}
      : { prompt: besideText(answer.item, "prompt") ?? null }),
  }));
}

/**
 * One row an image with what the majority said of its questions: tp and fn of reflection, fp and tn
 * of leakage, as `correlation --human-counts tp,fp,fn` takes them. A question without a majority is
 * in none of them.
 */
function correlation(answers: readonly CountedAnswer[]): AnswerTable {
  const images = new Map<string, { row: Record<string, TableCell>; counts: Counts }>();
  for (const { item, answers: own } of byItem(answers)) {
    const image = item.sources[0] ?? item.id;
    const entry = images.get(image) ?? { row: besideCells(item), counts: noCounts() };
    images.set(image, entry);
    const { isYes } = majority(own);
    if (isYes === undefined) continue;
    const isReflection = item.content.kind === "reflection";
    entry.counts[isReflection ? (isYes ? "tp" : "fn") : isYes ? "fp" : "tn"] += 1;
  }
  return [...images].map(([id, { row, counts }]) => ({ ...row, id, ...counts }));
}

type Counts = Record<"tp" | "fp" | "tn" | "fn", number>;
const noCounts = (): Counts => ({ tp: 0, fp: 0, tn: 0, fn: 0 });

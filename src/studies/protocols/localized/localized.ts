import { z } from "zod";
import { withArticles } from "../../../core/articles.js";
import type { JsonObject } from "../../../core/json.js";
import { oneOf, optionalText, text } from "../../../tables/columns.js";
import { listColumn } from "../../../tables/list-column.js";
import { besideCells, besideText } from "../beside-text.js";
import { byItem } from "../by-item.js";
import type { AnswerTable, CountedAnswer, Protocol, TableCell } from "../protocol.js";

const box = listColumn({
  isItem: (item): item is number => typeof item === "number" && Number.isFinite(item) && item >= 0,
  expected: "a box [x, y, width, height] in pixels",
});

/**
 * One question about one entity of an image, shown as the metric sees it (L-VQAScore, section 5).
 * Reflection and leakage questions are mixed and look alike.
 */
export const localized: Protocol = {
  name: "localized",
  version: 1,
  columns: {
    id: text,
    image: text,
    entity: text,
    attribute: text,
    kind: oneOf(["reflection", "leakage"]),
    question: optionalText,
    mask: optionalText,
    box,
  },
  items: (rows) =>
    rows.map(({ row, beside }) => ({
      id: String(row.id),
      images: [String(row.image)],
      content: {
        entity: String(row.entity),
        attribute: String(row.attribute),
        kind: String(row.kind),
        question:
          typeof row.question === "string"
            ? row.question
            : withArticles(`Does the image show a ${row.attribute} ${row.entity}?`),
        mask: typeof row.mask === "string" ? row.mask : null,
        box: Array.isArray(row.box) ? row.box : null,
      },
      beside,
    })),
  present: ({ item: { content }, settings, names: [image = ""] }) => ({
    image,
    question: content.question ?? "",
    ...(settings.view === "box" && content.box !== null ? { box: content.box ?? null } : {}),
  }),
  answer: () => z.strictObject({ value: z.enum(["yes", "no", "cannot-tell"]) }),
  recorded: (answer) => answer,
  known: (value) => {
    const known = ["yes", "no"].find((word) => word === value.trim().toLowerCase());
    return known === undefined ? undefined : { value: known };
  },
  value: ({ value }) => (typeof value === "string" ? value : null),
  tables: { attributes, correlation },
};

const saidYes = (answer: JsonObject | null): 1 | 0 | null =>
  answer?.value === "yes" ? 1 : answer?.value === "no" ? 0 : null;

const questionOf = ({ item }: CountedAnswer) => ({
  image: item.sources[0] ?? item.id,
  entity: String(item.content.entity),
  attribute: String(item.content.attribute),
  kind: String(item.content.kind),
});

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
    const votes = own.flatMap(({ answer }) => saidYes(answer) ?? []);
    const yes = votes.filter((vote) => vote === 1).length;
    if (2 * yes === votes.length) continue;
    const isYes = 2 * yes > votes.length;
    const isReflection = item.content.kind === "reflection";
    entry.counts[isReflection ? (isYes ? "tp" : "fn") : isYes ? "fp" : "tn"] += 1;
  }
  return [...images].map(([id, { row, counts }]) => ({ ...row, id, ...counts }));
}

type Counts = Record<"tp" | "fp" | "tn" | "fn", number>;
const noCounts = (): Counts => ({ tp: 0, fp: 0, tn: 0, fn: 0 });

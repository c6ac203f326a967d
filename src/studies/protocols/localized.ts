import { z } from "zod";
import { groupBy } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { unknownLocalizer } from "../../core/models.js";
import { withArticles } from "../../core/phrases.js";
import { localizedQuestionsOf } from "../../metrics/localized-convention.js";
import { localizedRatios, localizedScore } from "../../stats/localized-answers.js";
import { optionalOneOf, optionalText, text } from "../../tables/columns.js";
import { listColumn } from "../../tables/list-column.js";
import type { BlockSettings } from "../config/study-config.js";
import type { ImageSource } from "../items/sources/image-source.js";
import type { LabelStudioForm } from "../label-studio/label-studio-form.js";
import type { ItemValue, PeopleMetric } from "../people-metric/people-step.js";
import type { StudyItem } from "../study.js";
import { choiceOf } from "./answer-value.js";
import {
  type AnswerTable,
  besideCells,
  besideText,
  byItem,
  type CountedAnswer,
  type ItemRow,
  mean,
  type Protocol,
  type TableCell,
} from "./protocol.js";

/**
 * People as the reference of attribute confusion: F1 of what most of them answered to an image's
 * questions. Details are those of a localised metric, and the models that chose what people were shown.
 * A question without a majority counts in none of the four.
 */
const localizedMetric: PeopleMetric = {
  statistic: "F1 of majorities",
  range: () => [0, 1],
  score(answers, settings) {
    const questions = questionsOf(answers);
    const counts = { tp: 0, fp: 0, tn: 0, fn: 0 };
    for (const { kind, probability } of questions) {
      if (probability === 0.5) continue;
      const isYes = probability > 0.5;
      counts[kind === "reflection" ? (isYes ? "tp" : "fn") : isYes ? "fp" : "tn"] += 1;
    }
    const value = localizedScore("f1", counts);
    if (Number.isNaN(value)) return undefined;
    const ratio = (name: "precision" | "recall") => {
      const [above, below] = localizedRatios[name](counts);
      return below === 0 ? null : above / below;
    };
    return {
      value,
      details: {
        ...counts,
        precision: ratio("precision"),
        recall: ratio("recall"),
        f1: value,
        questions: questions.map((question) => ({ ...question })),
        localizers: [
          ...localizersShown(
            answers.map(({ item }) => item),
            settings,
          ),
        ],
      },
    };
  },
};

/** Each question with the share of yes among those who could tell. */
function questionsOf(answers: readonly ItemValue[]) {
  return [...groupBy(answers, ({ item }) => item.id).values()].flatMap((own) => {
    const votes = own.flatMap(({ value }) =>
      value === "cannot-tell" ? [] : [value === "yes" ? 1 : 0],
    );
    const probability = mean(votes);
    const { entity, attribute, kind } = own[0].item.content;
    if (probability === null || typeof kind !== "string") return [];
    return [{ entity: String(entity), attribute: String(attribute), kind, probability }];
  });
}

/** An image and a question to answer by yes, no or "can't tell". */
const localizedForm: LabelStudioForm = {
  shown: [
    { name: "question", kind: "text" },
    { name: "image", kind: "images" },
  ],
  questions: ({ settings }) => [
    {
      name: "value",
      title: settings.question,
      kind: "choices",
      choices: [
        { value: "yes", label: "Yes" },
        { value: "no", label: "No" },
        { value: "cannot-tell", label: "Can't tell" },
      ],
    },
  ],
  fields: ({ value }) => ({ value: String(value) }),
  given: (fields) => ({ ...fields }),
  unsaid: ({ settings, items, gold }) =>
    settings.view === "box" && [...items, ...gold].some(({ content }) => Array.isArray(content.box))
      ? "its boxes could be moved there (view: localized shows the entity alone)"
      : undefined,
};

/**
 * Returns L-VQAScore's questions about each image whose entities are known: does an entity show its own
 * attributes (reflection), and those of the others (leakage)?
 *
 * @throws InputError where no image has entities.
 */
function localizedRows({ name, images }: ImageSource): readonly ItemRow[] {
  const rows = images.flatMap(({ id, path, entities = [], findEntity, beside }) =>
    localizedQuestionsOf(entities, "paper").map(({ entity, attribute, kind, on }): ItemRow => {
      const found = findEntity?.(on);
      return {
        row: { id: `${id}/${entity}/${attribute}`, image: path, entity, attribute, kind },
        beside: found === undefined ? beside : { ...beside, localizers: [...found.localizers] },
        find: found?.mask,
      };
    }),
  );
  if (rows.length > 0) return rows;
  throw new InputError(
    `Expected texts with entities and attributes for localized but ${name} has none`,
    { hint: "A run of attribute-confusion has them; or name a table with entity and attribute." },
  );
}

const box = listColumn({
  isItem: (item): item is number => typeof item === "number" && Number.isFinite(item) && item >= 0,
  expected: "a box [x, y, width, height] in pixels",
});

const said = z.strictObject({ value: z.enum(["yes", "no", "cannot-tell"]) });

/**
 * Asks one question about one entity of an image, which it names (L-VQAScore, section 3.1). People see the
 * whole image by default: shown only what a metric's localiser found, they would be no reference for that
 * metric. Questions of reflection and of leakage are mixed and look alike.
 */
export const localized: Protocol = {
  version: 1,
  answers: "shares",
  seconds: 6,
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
  value: choiceOf,
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

/** The answer that most people gave to a question; `isYes` is undefined where as many say yes as no. */
function majority(answers: readonly CountedAnswer[]) {
  const votes = answers.flatMap(({ answer }) => saidYes(answer) ?? []);
  const yes = votes.filter((vote) => vote === 1).length;
  return {
    votes: votes.length,
    isYes: 2 * yes === votes.length ? undefined : 2 * yes > votes.length,
  };
}

const wordOf = (cell: unknown): string | null => (typeof cell === "string" ? cell : null);

/** The question of a row. @throws InputError where it has neither one nor entity, attribute and kind. */
function questionIn({ id, entity, attribute, kind, question }: ItemRow["row"]): string {
  if (typeof question === "string") return question;
  if (typeof entity === "string" && typeof attribute === "string" && typeof kind === "string") {
    return withArticles(`Does the image show a ${attribute} ${entity}?`);
  }
  throw new InputError(
    `Expected entity, attribute and kind, or a question, for item ${id} but it lacks some`,
  );
}

/** What an answer is about. @throws InputError where its item has no entity, attribute and kind. */
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

/** A row for each question with a majority, as `calibrate` takes labels. */
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

/** A row for each answer; "can't tell" leaves its probability empty. */
function attributes(answers: readonly CountedAnswer[]): AnswerTable {
  return answers.map((answer) => ({
    ...questionOf(answer),
    probability: saidYes(answer.answer),
    annotator: answer.participant,
    ...promptOf(answer.item),
  }));
}

/**
 * A row for each image with the majorities of its questions: tp and fn of reflection, fp and tn of
 * leakage, as `correlation --human-counts tp,fp,fn` reads them. A question without a majority counts
 * in none of the four.
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

function promptOf(item: StudyItem): { readonly prompt?: string } {
  const prompt = besideText(item, "prompt");
  return prompt === undefined ? {} : { prompt };
}

type Counts = Record<"tp" | "fp" | "tn" | "fn", number>;
const noCounts = (): Counts => ({ tp: 0, fp: 0, tn: 0, fn: 0 });

const found = z.object({ localizers: z.array(z.string()) });

/**
 * Returns the models that located the entities people were shown. Answers are no reference for a metric
 * that uses one of them. Items of studies from before this was recorded give `unknownLocalizer`.
 */
export function localizersShown(
  items: readonly StudyItem[],
  { view }: Pick<BlockSettings, "view">,
): ReadonlySet<string> {
  if (view === "whole") return new Set();
  return new Set(
    items.flatMap(({ beside, content }) => {
      const noted = found.safeParse(beside);
      if (noted.success) return noted.data.localizers;
      const isFromRun = beside.of !== undefined;
      return isFromRun && Array.isArray(content.box) ? [unknownLocalizer] : [];
    }),
  );
}

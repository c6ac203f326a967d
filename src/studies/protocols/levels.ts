import { z } from "zod";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import { text } from "../../tables/columns.js";
import type { BlockSettings } from "../config/study-config.js";
import type { LabelStudioForm } from "../label-studio/label-studio-form.js";
import { levelOf } from "./answer-value.js";
import { drawOf } from "./draws.js";
import {
  type AnswerTable,
  besideCells,
  besideText,
  byItem,
  type CountedAnswer,
  mean,
  type Protocol,
  requiredBeside,
} from "./protocol.js";

/**
 * A protocol that asks for one of several ordered levels for an image and its text.
 *
 * @param values the levels where the block's settings name none, from the lowest up
 */
function levelsProtocol({
  question,
  values,
}: {
  /** The question in Label Studio where the block's settings have none. */
  readonly question: string;
  readonly values: readonly number[];
}): Protocol {
  const valuesOf = (settings: BlockSettings) =>
    settings.levels?.map(({ value }) => value) ?? values;
  return {
    version: 1,
    answers: "levels",
    seconds: 10,
    columns: { id: text, image: text, text },
    items: (rows) =>
      rows.map(({ row, beside }) => ({
        id: String(row.id),
        images: [String(row.image)],
        content: { text: String(row.text) },
        beside,
      })),
    rowsOf: ({ images }) =>
      images.map(({ id, path, text, beside }) => ({ row: { id, image: path, text }, beside })),
    present: ({ item, names: [image = ""] }) => ({ image, text: item.content.text ?? "" }),
    answer: ({ settings }) => {
      const known = valuesOf(settings);
      return z.strictObject({
        value: z.int().refine((value) => known.includes(value), {
          error: `expected one of ${known.join(", ")}`,
        }),
      });
    },
    recorded: (answer) => answer,
    known: (value, settings) => {
      const known = valuesOf(settings).find((level) => String(level) === value.trim());
      return known === undefined ? undefined : { value: known };
    },
    value: levelOf,
    asMetric: {
      statistic: "mean rating",
      range: (settings) => {
        const known = valuesOf(settings);
        return [smallestOf(known), largestOf(known)];
      },
      score: (answers) => {
        const value = mean(answers.map((answer) => Number(answer.value)));
        return value === null ? undefined : { value };
      },
    },
    labelStudio: levelsForm(question, valuesOf),
    tables: { contrastive, correlation, compare, calibrate },
  };
}

const values = (answers: readonly CountedAnswer[]): number[] =>
  answers.flatMap(({ answer }) => {
    const value = answer === null ? null : levelOf(answer);
    return value === null ? [] : [value];
  });

const meanLevel = (answers: readonly CountedAnswer[]): number | null => mean(values(answers));

/** A row for each image: its mean rating and the columns beside its item. */
function correlation(answers: readonly CountedAnswer[]): AnswerTable {
  return byItem(answers).map(({ item, answers: own }) => ({
    ...besideCells(item),
    id: item.id,
    image: item.sources[0] ?? null,
    prompt: besideText(item, "prompt") ?? String(item.content.text),
    human: meanLevel(own),
    ratings: values(own).length,
  }));
}

/**
 * A row for each image, which must name its model: the mean rating is score and human label. Where `label plan` drew
 * the items, the score is the plan's, and how they were drawn stands beside.
 */
function compare(answers: readonly CountedAnswer[]): AnswerTable {
  return byItem(answers).map(({ item, answers: own }) => {
    const drawn = drawOf(item);
    const score = Number(besideText(item, "score") ?? Number.NaN);
    return {
      model: requiredBeside(item, "model"),
      prompt: besideText(item, "prompt") ?? String(item.content.text),
      score: drawn === undefined ? meanLevel(own) : Number.isNaN(score) ? null : score,
      human: meanLevel(own),
      ...drawn,
    };
  });
}

/** A row for each image with its median rating (the lower of two), as `calibrate` takes labels. */
function calibrate(answers: readonly CountedAnswer[]): AnswerTable {
  return byItem(answers).flatMap(({ item, answers: own }) => {
    const sorted = values(own).sort((a, b) => a - b);
    const rating = sorted[Math.floor((sorted.length - 1) / 2)];
    if (rating === undefined) return [];
    return [
      {
        id: item.id,
        image: item.sources[0] ?? null,
        text: String(item.content.text),
        rating,
        votes: sorted.length,
      },
    ];
  });
}

/**
 * People as a metric (ProtoBias, section 4): a row for each pair with the mean rating of its correct
 * and of its adversarial image. The columns `pair` and `side` beside the items say which is which.
 */
function contrastive(answers: readonly CountedAnswer[]): AnswerTable {
  const pairs = new Map<string, { correct: CountedAnswer[]; adversarial: CountedAnswer[] }>();
  for (const answer of answers) {
    const { item } = answer;
    const pair = requiredBeside(item, "pair");
    const side = besideText(item, "side");
    if (side !== "correct" && side !== "adversarial") {
      throw new InputError(
        `Expected correct or adversarial for the column side of item ${item.id} but received ${side ?? "nothing"}`,
      );
    }
    const sides = pairs.get(pair) ?? { correct: [], adversarial: [] };
    sides[side].push(answer);
    pairs.set(pair, sides);
  }
  return [...pairs].map(([id, { correct, adversarial }]) => {
    const item = (correct[0] ?? adversarial[0])?.item;
    return {
      id,
      metric: "people",
      domain: (item && besideText(item, "domain")) ?? "all",
      prompt: (item && (besideText(item, "prompt") ?? String(item.content.text))) ?? null,
      correct: meanLevel(correct),
      adversarial: meanLevel(adversarial),
    };
  });
}

/** Choices where levels have words; stars where they are the numbers from 1 up. */
const levelsForm = (
  question: string,
  valuesOf: (settings: BlockSettings) => readonly number[],
): LabelStudioForm => ({
  shown: [
    { name: "text", kind: "text" },
    { name: "image", kind: "images" },
  ],
  questions({ settings }) {
    const values = valuesOf(settings);
    const asked = { name: "value", title: settings.question ?? question };
    const isStars =
      settings.levels === undefined && values.every((value, index) => value === index + 1);
    if (isStars) return [{ ...asked, kind: "rating", most: values.length }];
    const label = (value: number) =>
      settings.levels?.find((level) => level.value === value)?.label ?? String(value);
    const choices = values.map((value) => ({ value: String(value), label: label(value) }));
    return [{ ...asked, kind: "choices", choices }];
  },
  fields: ({ value }) => ({ value: String(value) }),
  given: ({ value, ...others }) => ({ value: Number(value), ...others }),
});

/** Rates how well an image matches its whole text, 1 to 5 (L-VQAScore, section 5: baseline). */
export const likert = levelsProtocol({
  question: "How well does the image match the whole text?",
  values: [1, 2, 3, 4, 5],
});

/** Rates how well an image shows its text, 1 to 4 (ProtoBias, section 4: human evaluation). */
export const rating = levelsProtocol({
  question: "How well does the image show what the text says?",
  values: [1, 2, 3, 4],
});

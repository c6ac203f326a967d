import { z } from "zod";
import { largestOf } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { optionalText, text } from "../../tables/columns.js";
import { listColumn } from "../../tables/list-column.js";
import type { LabelStudioForm } from "../label-studio/label-studio-form.js";
import { presentOf } from "./answer-value.js";
import {
  type AnswerTable,
  besideText,
  byItem,
  type CountedAnswer,
  mean,
  type Protocol,
  requiredBeside,
} from "./protocol.js";

const words = new Map<string, boolean | null>([
  ["present", true],
  ["not-present", false],
  ["cannot-tell", null],
]);

/** A set of images and an item of a rubric: is it there, and in which images? */
const rubricForm: LabelStudioForm = {
  shown: ["query", "item", "definition", "examples"]
    .map((name) => ({ name, kind: "text" as "text" | "images" }))
    .concat({ name: "images", kind: "images" }),
  questions({ settings, items, gold }) {
    const most = largestOf([...items, ...gold].map(({ images }) => images.length));
    const numbers = Array.from({ length: most }, (_, index) => String(index + 1));
    return [
      {
        name: "present",
        title: settings.question ?? "Is this present in the images?",
        kind: "choices",
        choices: [
          { value: "present", label: "Present" },
          { value: "not-present", label: "Not present" },
          { value: "cannot-tell", label: "Can't tell" },
        ],
      },
      {
        name: "images_with",
        title: "In which images? (optional)",
        kind: "several",
        choices: numbers.map((value) => ({ value, label: `Image ${value}` })),
      },
    ];
  },
  fields: ({ present, images }) => ({
    present: [...words.keys()].find((word) => words.get(word) === present) ?? "",
    ...(Array.isArray(images) && images.length > 0 ? { images_with: images.map(String) } : {}),
  }),
  given: ({ present, images_with: images = [], ...others }) => ({
    ...others,
    // Another word is refused by the protocol's own schema.
    present: words.has(String(present)) ? (words.get(String(present)) ?? null) : String(present),
    images: typeof images === "object" ? [...images] : [String(images)],
  }),
};

/** Asks whether a set of images shows an item of a rubric (SSI, section 4.3: expert check). */
export const rubric: Protocol = {
  version: 2,
  answers: "shares",
  seconds: 45,
  columns: {
    id: text,
    query: text,
    item: text,
    definition: text,
    examples: optionalText,
    images: listColumn({
      isItem: (item): item is string => typeof item === "string" && item !== "",
      expected: 'a list of image files, such as ["1.png", "2.png"]',
      isRequired: true,
      mustBeFilled: true,
    }),
  },
  items: (rows) =>
    rows.map(({ row, beside }) => ({
      id: String(row.id),
      images: Array.isArray(row.images) ? row.images.map(String) : [],
      content: {
        query: String(row.query),
        item: String(row.item),
        definition: String(row.definition),
        examples: typeof row.examples === "string" ? row.examples : null,
      },
      beside,
    })),
  rowsOf: ({ name, judged }) => {
    if (judged.length === 0) {
      throw new InputError(
        `Expected the run of an audit for rubric but ${name} has no judged sets`,
        {
          hint: "Make one: touchstone audit CONFIG --run DIR; or name a table of sets and items.",
        },
      );
    }
    return judged.map(({ beside, ...row }) => ({ row, beside }));
  },
  present: ({ item: { content }, names, drawn }) => ({
    query: content.query ?? "",
    item: content.item ?? "",
    definition: content.definition ?? "",
    ...(typeof content.examples === "string" ? { examples: content.examples } : {}),
    images: [...drawn(names)],
  }),
  answer: ({ names }) =>
    z.strictObject({
      present: z.boolean().nullable(),
      images: z
        .array(z.string())
        .refine((given) => given.every((name) => names.includes(name)), {
          error: "expected names of images that were shown",
        })
        .default([]),
    }) as z.ZodType<JsonObject>,
  recorded: ({ present = null, images }, { names }) => ({
    present,
    // Places from 1, as the audit's judge gives them.
    images: Array.isArray(images)
      ? [...new Set(images.map((name) => names.indexOf(String(name)) + 1))].sort((a, b) => a - b)
      : [],
  }),
  known: (value) => {
    const words: Readonly<Record<string, boolean>> = {
      "1": true,
      true: true,
      "0": false,
      false: false,
    };
    const present = new Map(Object.entries(words)).get(value.trim().toLowerCase());
    return present === undefined ? undefined : { present, images: [] };
  },
  value: presentOf,
  labelStudio: rubricForm,
  tables: { stereotypes, labels },
};

/** A row for each answer, as `study page --collect` reads labels. */
function labels(answers: readonly CountedAnswer[]): AnswerTable {
  return answers.map(({ item, answer, participant }) => ({
    sheet: "study",
    set: requiredBeside(item, "set"),
    item: String(item.content.item),
    expert: participant,
    present: answer === null ? null : presentOf(answer),
  }));
}

/**
 * A row for each item: `present` is the judge's answer, `expert` what most people said. Where several people
 * answered, each has a column too, for `--experts`.
 */
function stereotypes(answers: readonly CountedAnswer[]): AnswerTable {
  const people = [...new Set(answers.map(({ participant }) => participant))].sort();
  return byItem(answers).map(({ item, answers: own }) => {
    const said = new Map(
      own.map(({ participant, answer }) => [
        participant,
        answer === null ? null : presentOf(answer),
      ]),
    );
    const share = mean([...said.values()].filter((value) => value !== null));
    return {
      query: String(item.content.query),
      category: requiredBeside(item, "category"),
      model: requiredBeside(item, "model"),
      phase: requiredBeside(item, "phase"),
      imageSet: besideText(item, "imageSet") ?? item.id,
      item: String(item.content.item),
      present: besideText(item, "present") ?? null,
      expert: share === null || share === 0.5 ? null : share > 0.5 ? 1 : 0,
      ...(people.length === 1
        ? { annotator: people[0] ?? null }
        : Object.fromEntries(people.map((person) => [person, said.get(person) ?? null]))),
    };
  });
}

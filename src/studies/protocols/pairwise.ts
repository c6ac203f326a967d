import { z } from "zod";
import { append, groupBy } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { optionalText, text } from "../../tables/columns.js";
import { listColumn } from "../../tables/list-column.js";
import type { ImageSource, SourceImage } from "../items/sources/image-source.js";
import type { LabelStudioForm } from "../label-studio/label-studio-form.js";
import type { StudyItem } from "../study.js";
import { type Preferred, preferredOf } from "./answer-value.js";
import { drawOf } from "./draws.js";
import {
  type AnswerTable,
  besideText,
  byItem,
  type CountedAnswer,
  type ItemRow,
  mean,
  type Protocol,
  requiredBeside,
  type Showing,
  type TableCell,
} from "./protocol.js";

const sides: Readonly<Record<string, string>> = { a: "left", b: "right", left: "a", right: "b" };

/** Left or right. A third answer makes them choices, since Label Studio's Pairwise has two. */
const pairwiseForm: LabelStudioForm = {
  shown: [
    { name: "caption", kind: "text" },
    { name: "a", kind: "images" },
    { name: "b", kind: "images" },
  ],
  questions({ settings: { tie, question, why, caption } }) {
    const title =
      question ?? (caption ? "Which one shows the text better?" : "Which one do you prefer?");
    const third = tie === "tie" ? "Equally good" : "Undecided";
    const choices = [
      { value: "left", label: "Left" },
      { value: "right", label: "Right" },
      { value: tie, label: third },
    ];
    return [
      tie === "none"
        ? { name: "preferred", title, kind: "pairwise" }
        : { name: "preferred", title, kind: "choices", choices },
      ...(why ? [{ name: "why", title: "Why? (optional)", kind: "text" } as const] : []),
    ];
  },
  fields: ({ preferred, why }) => ({
    preferred: sides[String(preferred)] ?? String(preferred),
    ...(typeof why === "string" && why !== "" ? { why } : {}),
  }),
  given: ({ preferred, ...others }) => ({
    preferred: sides[String(preferred)] ?? String(preferred),
    ...others,
  }),
};

const images = listColumn({
  isItem: (item): item is string => typeof item === "string" && item !== "",
  expected: 'a list of image files, such as ["1.png", "2.png"]',
});

const choice = (preferred: readonly string[]) =>
  z.strictObject({
    preferred: z.enum(preferred),
    why: z.string().max(10_000).optional(),
  }) as z.ZodType<JsonObject>;
const sideChosen = choice(["a", "b"]);
// The page offers one of the two third answers; other clients may send either.
const anyChosen = choice(["a", "b", "tie", "undecided"]);

/**
 * Asks which of two images, or of two sets of images, is preferred (SSI, section 5: rapid fire; MMB's
 * labels; comparison of models). Sides are drawn; an answer is recorded by the side of the item.
 */
export const pairwise: Protocol = {
  version: 2,
  answers: "wins",
  seconds: 10,
  columns: {
    id: text,
    caption: optionalText,
    image_a: optionalText,
    image_b: optionalText,
    images_a: images,
    images_b: images,
  },
  items: (rows) =>
    rows.map(({ row, beside }) => {
      const a = sideOf(row, "a");
      const b = sideOf(row, "b");
      return {
        id: String(row.id),
        images: [...a, ...b],
        content: {
          caption: typeof row.caption === "string" ? row.caption : null,
          imagesOfA: a.length,
        },
        beside,
      };
    }),
  rowsOf: pairRows,
  present: (showing) => {
    const { item, settings, swapped } = showing;
    const [a, b] = sidesOf(showing);
    return {
      a: [...(swapped ? b : a)],
      b: [...(swapped ? a : b)],
      ...(settings.caption && typeof item.content.caption === "string"
        ? { caption: item.content.caption }
        : {}),
      tie: settings.tie,
      why: settings.why,
    };
  },
  steps: ({ item: { beside }, swapped }) => {
    const models = [beside.model_a, beside.model_b].flatMap((model, at) =>
      typeof model === "string" ? [{ label: (at === 1) === swapped ? "A" : "B", model }] : [],
    );
    return [models.sort((one, other) => (one.label < other.label ? -1 : 1))];
  },
  answer: ({ settings }) => (settings.tie === "none" ? sideChosen : anyChosen),
  recorded: (answer, { swapped }) => ({
    ...answer,
    preferred: swapped ? other(String(answer.preferred)) : (answer.preferred ?? null),
  }),
  known: (value) => {
    const known = ["a", "b", "tie"].find((word) => word === value.trim().toLowerCase());
    return known === undefined ? undefined : { preferred: known };
  },
  value: preferredOf,
  button: (answer, swapped) => {
    const preferred = preferredOf(answer);
    return swapped && preferred !== null ? other(preferred) : preferred;
  },
  labelStudio: pairwiseForm,
  tables: { preferences, calibrate, compare },
};

const other = (side: string): string => (side === "a" ? "b" : side === "b" ? "a" : side);

function sidesOf({ item, names, drawn }: Showing): readonly [readonly string[], readonly string[]] {
  const count = Number(item.content.imagesOfA);
  return [drawn(names.slice(0, count), "a"), drawn(names.slice(count), "b")];
}

function sideOf(row: Readonly<Record<string, unknown>>, side: "a" | "b"): readonly string[] {
  const one = row[`image_${side}`];
  const several = row[`images_${side}`];
  if (typeof one === "string") return [one];
  if (Array.isArray(several)) return several.map(String);
  throw new InputError(
    `Expected image_${side} or images_${side} for item ${row.id} but it has neither`,
    {
      hint: "A pair has image_a and image_b; a pair of sets has lists in images_a and images_b.",
    },
  );
}

/**
 * Returns the pairs of a run or folder: images that were made as a pair; in an audit, each model's images
 * of a query and of its rewrite; else the images that two models made of one text.
 *
 * @throws InputError where there is no pair.
 */
function pairRows({ name, images }: ImageSource): readonly ItemRow[] {
  const rows = images.some(({ pair }) => pair !== undefined)
    ? madePairs(images)
    : images.some(({ phase }) => phase === "refined")
      ? setsByPhase(images)
      : pairsOfModels(images);
  if (rows.length > 0) return rows;
  throw new InputError(
    `Expected images of one text by two models for pairwise but ${name} has none`,
    {
      hint: 'In a folder\'s metadata.jsonl the column "model" says who made an image.',
    },
  );
}

const madePairs = (images: readonly SourceImage[]): ItemRow[] =>
  [...groupBy(images, ({ pair }) => pair?.id)].flatMap(([id, own]) => {
    const [a, b] = ["a", "b"].map((side) => own.find(({ pair }) => pair?.side === side));
    if (a?.pair === undefined || b?.pair === undefined) return [];
    const { side: _, of: __, model: ___, ...beside } = a.beside;
    return [
      {
        row: { id, caption: a.text, image_a: a.path, image_b: b.path },
        beside: { ...beside, model_a: a.pair.name, model_b: b.pair.name },
      },
    ];
  });

const setsByPhase = (images: readonly SourceImage[]): ItemRow[] =>
  [...groupBy(images, ({ prompt, model }) => JSON.stringify([prompt, model]))].flatMap(
    ([, own]) => {
      const [initial, refined] = ["initial", "refined"].map((phase) =>
        own.filter((image) => image.phase === phase),
      );
      const [first] = initial ?? [];
      if (first === undefined || !refined?.length) return [];
      const { phase: _, of: __, model, ...beside } = first.beside;
      return [
        {
          row: {
            id: `${first.prompt}/${first.model}`,
            caption: first.text,
            images_a: initial?.map(({ path }) => path),
            images_b: refined.map(({ path }) => path),
          },
          beside: { ...beside, generator: model ?? null, model_a: "initial", model_b: "refined" },
        },
      ];
    },
  );

const pairsOfModels = (images: readonly SourceImage[]): ItemRow[] =>
  [...groupBy(images, ({ prompt, sample }) => JSON.stringify([prompt, sample]))].flatMap(
    ([, own]) =>
      own.flatMap((a, at) =>
        own.slice(at + 1).flatMap((b): ItemRow[] => {
          if (a.model === b.model) return [];
          const { of: _, model: __, ...beside } = a.beside;
          return [
            {
              row: { id: `${a.id}/${b.id}`, caption: a.text, image_a: a.path, image_b: b.path },
              beside: { ...beside, model_a: a.model, model_b: b.model },
            },
          ];
        }),
      ),
  );

/** A row for each answer, as `analyze preferences` reads it: `a` is the model that stood left. */
function preferences(answers: readonly CountedAnswer[]): AnswerTable {
  return answers.flatMap(({ item, answer, participant, swapped }) => {
    const preferred = answer === null ? null : preferredOf(answer);
    if (preferred === null) return [];
    const [a, b] = [modelOf(item, "a"), modelOf(item, "b")];
    const isFirst = preferred === (swapped ? "b" : "a");
    return [
      {
        id: item.id,
        a: swapped ? b : a,
        b: swapped ? a : b,
        preferred: preferred === "tie" ? "tie" : isFirst ? "a" : "b",
        prompt: promptOf(item),
        annotator: participant,
        ...drawOf(item),
      },
    ];
  });
}

/** A row for each pair with what most people preferred, as `calibrate` takes labels. */
function calibrate(answers: readonly CountedAnswer[]): AnswerTable {
  return byItem(answers).flatMap(({ item, answers: own }) => {
    if (item.images.length !== 2) return [];
    const votes = votesOf(own);
    if (votes.length === 0) return [];
    const balance = votes.reduce(
      (sum, vote) => sum + (vote === "a" ? 1 : vote === "b" ? -1 : 0),
      0,
    );
    return [
      {
        id: item.id,
        caption: typeof item.content.caption === "string" ? item.content.caption : null,
        image_a: item.sources[0] ?? null,
        image_b: item.sources[1] ?? null,
        preferred: balance > 0 ? "a" : balance < 0 ? "b" : "tie",
        votes: votes.length,
      },
    ];
  });
}

/** A row for each model and prompt: the share of comparisons that the model won; a tie is half. */
function compare(answers: readonly CountedAnswer[]): AnswerTable {
  const rows = new Map<string, { model: string; prompt: string; wins: number[] }>();
  for (const { item, answers: own } of byItem(answers)) {
    for (const side of ["a", "b"] as const) {
      const model = modelOf(item, side);
      const prompt = promptOf(item);
      const key = JSON.stringify([model, prompt]);
      const row = rows.get(key) ?? { model, prompt, wins: [] };
      rows.set(key, row);
      append(
        row.wins,
        votesOf(own).map((vote) => (vote === "tie" ? 0.5 : vote === side ? 1 : 0)),
      );
    }
  }
  return [...rows.values()].map(({ model, prompt, wins }): Record<string, TableCell> => {
    const share = mean(wins);
    return { model, prompt, score: share, human: share, comparisons: wins.length };
  });
}

const votesOf = (answers: readonly CountedAnswer[]): Preferred[] =>
  answers.flatMap(({ answer }) => (answer === null ? [] : (preferredOf(answer) ?? [])));

const promptOf = (item: StudyItem): string =>
  besideText(item, "prompt") ??
  (typeof item.content.caption === "string" ? item.content.caption : item.id);

const modelOf = (item: StudyItem, side: "a" | "b"): string => requiredBeside(item, `model_${side}`);

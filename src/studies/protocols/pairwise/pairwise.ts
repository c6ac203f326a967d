import { z } from "zod";
import { InputError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import { optionalText, text } from "../../../tables/columns.js";
import { listColumn } from "../../../tables/list-column.js";
import type { Protocol, Showing } from "../protocol.js";
import { pairRows } from "./pair-rows.js";
import { pairTables, preferredOf } from "./pair-tables.js";
import { pairwiseForm } from "./pairwise-label-studio.js";

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
// The page offers one third answer; a client of somebody else's may send either.
const anyChosen = choice(["a", "b", "tie", "undecided"]);

/**
 * Two images, or two sets of images, of which one is preferred (SSI, section 5: rapid fire; MMB's
 * labels; comparison of models). Sides are drawn; the record says which item side was preferred.
 */
export const pairwise: Protocol = {
  name: "pairwise",
  version: 2,
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
  tables: pairTables,
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

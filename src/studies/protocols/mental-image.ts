import { z } from "zod";
import { groupBy } from "../../core/arrays.js";
import type { JsonObject } from "../../core/json.js";
import { text } from "../../tables/columns.js";
import type { Protocol, Showing } from "./protocol.js";

/** Longest text that is taken. */
const words = z.string().max(20_000);

/**
 * x and y, pressure on [0, 1], milliseconds since the sketch was begun. The page sends x and y on [0, 1] of its
 * sheet; another client may send pixels.
 */
const point = z.tuple([z.number(), z.number(), z.number().min(0).max(1), z.number().nonnegative()]);

const stroke = z.array(point).min(1).max(20_000);

/** Strokes in order; one alone may stand without the list around it. */
const sketch = z.union([z.array(stroke).max(2_000), stroke.transform((only) => [only])]);

/** Comments on each model's images; each may be left out. */
const comment = z.strictObject({
  attributes: words.optional(),
  fit: words.optional(),
  stereotypes: words.optional(),
  concerns: words.optional(),
});

/**
 * Asks what a person expects of a query, in words and a sketch, then what they think of each model's
 * images of it, one model after the other in drawn order (SSI, section 5, part 1).
 */
export const mentalImage: Protocol = {
  version: 2,
  answers: "words",
  seconds: 600,
  columns: { query: text, model: text, image: text },
  items: (rows) =>
    [...groupBy(rows, ({ row }) => String(row.query))].map(([query, ofQuery]) => {
      const models = [...groupBy(ofQuery, ({ row }) => String(row.model))];
      return {
        id: query,
        images: models.flatMap(([, own]) => own.map(({ row }) => String(row.image))),
        content: {
          query,
          models: models.map(([model, own]) => ({ model, images: own.length })),
        },
        beside: ofQuery[0].beside,
      };
    }),
  rowsOf: ({ images }) =>
    images
      .filter(({ phase }) => phase !== "refined")
      .map(({ path, text, model, beside }) => ({
        row: { query: text, model: model === "" ? "images" : model, image: path },
        beside,
      })),
  present: (showing) => ({
    query: showing.item.content.query ?? "",
    columns: columnsOf(showing).map(({ label, images }) => ({ label, images: [...images] })),
  }),
  // The query alone, each model's images, then all together.
  steps: (showing) => {
    const columns = columnsOf(showing).map(({ label, model }) => ({ label, model }));
    return [[], ...columns.map((column) => [column]), columns];
  },
  answer: (showing) => {
    const labels = columnsOf(showing).map(({ label }) => label);
    return z.strictObject({
      words,
      sketch: sketch.optional(),
      comments: z
        .record(z.string(), comment)
        .refine((given) => Object.keys(given).every((label) => labels.includes(label)), {
          error: `expected comments on ${labels.join(", ")}`,
        })
        .default({}),
    }) as z.ZodType<JsonObject>;
  },
  recorded: (answer, showing) => {
    const columns = columnsOf(showing);
    const comments = new Map(Object.entries(answer.comments ?? {}));
    return {
      ...answer,
      comments: Object.fromEntries(
        columns.flatMap(({ label, model }) => {
          const given = comments.get(label);
          return given === undefined ? [] : [[model, given]];
        }),
      ),
      order: columns.map(({ model }) => model),
    };
  },
  known: () => undefined,
  value: () => null,
  tables: {},
};

interface Column {
  /** The label that the browser knows the model by. */
  readonly label: string;
  readonly model: string;
  readonly images: readonly string[];
}

/** The models and the images of each in the order drawn for this participant, the models under letters. */
function columnsOf({ item, names, drawn }: Showing): Column[] {
  const models = item.content.models as readonly { model: string; images: number }[];
  let first = 0;
  const columns = models.map(({ model, images }) => {
    const own = names.slice(first, first + images);
    first += images;
    return { model, images: drawn(own, model) };
  });
  return drawn(columns).map((column, index) => ({
    label: String.fromCharCode(65 + index),
    ...column,
  }));
}

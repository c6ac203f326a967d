import { z } from "zod";
import { loadData } from "../load-data.js";

const change = (value: z.ZodNumber) => z.strictObject({ initial: value, refined: value });
const rowOf = (value: z.ZodNumber) => ({
  category: z.string(),
  models: z.record(z.string(), change(value)),
  overall: change(value),
});
const share = z.number().min(0).max(1);
const percent = z.number().min(0).max(100);

const publishedSchema = z.strictObject({
  paper: z.string(),
  index: z.strictObject({
    source: z.string(),
    rows: z.array(
      z.strictObject({
        ...rowOf(share),
        queries: z.int().positive(),
        t: z.number(),
        drop: percent,
      }),
    ),
  }),
  judge: z.strictObject({
    source: z.string(),
    unit: z.literal("percent"),
    mean: percent,
    rows: z.array(z.strictObject(rowOf(percent))),
  }),
  preferences: z.strictObject({
    source: z.string(),
    unit: z.literal("percent"),
    comparisons: z.int().positive(),
    refined: percent,
    initial: percent,
    neither: percent,
  }),
});

/** Figures that the paper prints, each with the place it stands at: other models, other images. */
export type PublishedStereotypes = z.output<typeof publishedSchema>;

export const loadPublishedStereotypes = (): PublishedStereotypes =>
  loadData("stereotypes/published.yaml", publishedSchema);

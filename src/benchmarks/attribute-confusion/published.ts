import { z } from "zod";
import { countTargets } from "../../analysis/correlation/grouping.js";
import { loadData } from "../load-data.js";

const percent = z.number().min(0).max(100);
const coefficients = { spearman: z.number().min(-1).max(1), kendall: z.number().min(-1).max(1) };
const named = { name: z.string(), metric: z.string() };

const publishedSchema = z.strictObject({
  paper: z.string(),
  swap: z.strictObject({
    source: z.string(),
    unit: z.literal("percent"),
    rows: z.array(z.strictObject({ ...named, value: percent })),
  }),
  correlation: z.strictObject({
    source: z.string(),
    groups: z.int().positive(),
    seeds: z.int().positive(),
    rows: z.array(z.strictObject({ ...named, target: z.enum(countTargets), ...coefficients })),
  }),
  ablation: z.strictObject({
    source: z.string(),
    rows: z.array(
      z.strictObject({
        part: z.enum(["strategy", "answerer", "localiser"]),
        value: z.string(),
        ...coefficients,
      }),
    ),
  }),
  humanAgreement: z.strictObject({
    source: z.string(),
    unit: z.literal("percent"),
    rows: z.array(z.strictObject({ protocol: z.string(), value: percent })),
  }),
});

/** Figures that the paper prints, each with the place it stands at: other models, other images. */
export type PublishedConfusion = z.output<typeof publishedSchema>;

export const loadPublishedConfusion = (): PublishedConfusion =>
  loadData("attribute-confusion/published.yaml", publishedSchema);

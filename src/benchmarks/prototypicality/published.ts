import { z } from "zod";
import { loadData } from "../load-data.js";
import { domains } from "./taxonomy.js";

const byDomain = <Value extends z.ZodType>(value: Value) => z.record(z.enum(domains), value);
const share = z.number().min(-1).max(1);
const means = z.strictObject({ correct: share, adversarial: share, difference: share });

export const publishedSchema = z.strictObject({
  paper: z.string(),
  failureRate: z.strictObject({
    unit: z.literal("percent"),
    rows: z.array(
      z.strictObject({
        metric: z.string(),
        value: z.number().min(0).max(100),
        relation: z.enum(["equal", "above"]),
        source: z.string(),
      }),
    ),
  }),
  margins: z.strictObject({
    source: z.string(),
    unit: z.literal("score"),
    rows: z.array(
      z.strictObject({ metric: z.string(), correct: byDomain(share), incorrect: byDomain(share) }),
    ),
  }),
  means: z.strictObject({
    source: z.string(),
    unit: z.literal("score"),
    rows: z.array(
      z.strictObject({
        metric: z.string(),
        animals: means,
        demography: means,
        objects: means,
      }),
    ),
  }),
  size: z.strictObject({
    source: z.string(),
    prompts: byDomain(z.int().positive()),
    pairsPerPrompt: z.int().positive(),
  }),
  retention: z.strictObject({
    source: z.string(),
    threshold: z.number(),
    kept: byDomain(z.int().nonnegative()),
    keptInAll: z.int().positive(),
    pairs: z.int().positive(),
    percent: z.number(),
  }),
  secondsPerItem: z.strictObject({
    source: z.string(),
    rows: z.array(z.strictObject({ metric: z.string(), value: z.number().positive() })),
  }),
});

/** Figures that the paper prints, each with the place it stands at: other models, other images. */
export type Published = z.output<typeof publishedSchema>;

/** The paper's figures. */
export const loadPublished = (): Published =>
  loadData("prototypicality/published.yaml", publishedSchema);

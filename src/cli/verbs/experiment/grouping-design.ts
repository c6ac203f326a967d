import { z } from "zod";
import { loadData } from "../../../benchmarks/load-data.js";
import { randomFrom } from "../../../core/random.js";
import { objectives } from "../../../ensembles/weight-problem.js";
import type { GroupingDesign } from "../../../experiments/ensemble/grouping-worth.js";

const count = z.int().positive();
const positive = z.number().positive();

const schema = z.strictObject({
  version: count,
  model: z.literal("lab:judge"),
  embedder: z.literal("lab:dual-encoder-balanced"),
  prompts: z.strictObject({ pool: count, count, draws: count }),
  worlds: z.record(
    z.string(),
    z.strictObject({ styles: z.array(z.string()).min(1), pairs: count }),
  ),
  poolShare: z.number().min(0).max(1),
  labels: z.array(count).min(1),
  labelDraws: count,
  clusters: z.array(count).min(1),
  temperatures: z.array(positive).min(1),
  lambdas: z.array(positive).min(1),
  objectives: z.array(z.enum(objectives)).min(1),
  supportPerCluster: count,
  restarts: count,
  iterations: count,
  resamples: count,
});

/** The experiment of data/ensemble/lab-grouping.yaml, whose seeds all come of one that is given. */
export const loadGroupingDesign = (
  seed: number,
): GroupingDesign &
  Pick<z.output<typeof schema>, "model" | "prompts" | "version"> & {
    readonly worlds: Readonly<
      Record<string, { readonly styles: string[]; readonly pairs: number; readonly seed: number }>
    >;
  } => {
  const design = loadData("ensemble/lab-grouping.yaml", schema);
  const worlds = Object.entries(design.worlds).map(([name, world]) => [
    name,
    { ...world, seed: randomFrom(seed, "world", name).integer(2 ** 31) },
  ]);
  return { ...design, seed, worlds: Object.fromEntries(worlds) };
};

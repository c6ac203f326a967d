import { z } from "zod";
import { loadData } from "../../../benchmarks/load-data.js";
import { objectives } from "../../../ensembles/weight-problem.js";

const count = z.int().positive();
const seed = z.int().nonnegative();
const share = z.number().min(0).max(1);

const designSchema = z.strictObject({
  version: count,
  model: z.literal("lab:judge"),
  embedder: z.literal("lab:dual-encoder-balanced"),
  prompts: z.strictObject({ count, seed }),
  worlds: z.record(
    z.string(),
    z.strictObject({ styles: z.array(z.string()).min(1), pairs: count, seed }),
  ),
  poolShare: share,
  labels: count,
  clusters: count,
  seeds: z.strictObject({ labels: count, clusters: count }),
  objectives: z.array(z.enum(objectives)),
  lambda: z.number().positive(),
  temperature: z.number().positive(),
  supportPerCluster: count,
  restarts: count,
  iterations: count,
  resamples: count,
  level: share,
  halfWidth: z.number().positive(),
  seed,
});

/** How claims are tried on held-out pairs; the lab's own pairs are said with it. */
export type LabDesign = z.output<typeof designSchema>;

export const loadLabDesign = (): LabDesign =>
  loadData("ensemble/lab-experiment.yaml", designSchema);

import { z } from "zod";
import { loadData } from "../../../benchmarks/load-data.js";
import { once } from "../../../core/once.js";

const schema = z.array(
  z.strictObject({
    name: z.string().regex(/^[a-z0-9-]+$/),
    title: z.string(),
    holds: z.string(),
    licence: z.string(),
    from: z.string(),
    file: z.string(),
    columns: z.record(z.string(), z.string()),
    traps: z.array(z.string()),
    commands: z
      .array(
        z.strictObject({
          computes: z.string(),
          words: z.array(z.string()),
          gives: z.record(z.string(), z.number()).optional(),
        }),
      )
      .min(1),
  }),
);

export type KnownDataset = z.output<typeof schema>[number];

/** The data sets of data/datasets.yaml. */
export const knownDatasets = once((): readonly KnownDataset[] => loadData("datasets.yaml", schema));

/** A command's words with the file in its place. */
export const wordsOn = (words: readonly string[], file: string): string[] =>
  words.map((word) => (word === "FILE" ? file : word));

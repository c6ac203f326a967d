import { readFileSync } from "node:fs";
import { loadData } from "touchstone-t2i/internal/benchmarks/load-data.js";
import { toolFile } from "touchstone-t2i/internal/cli/program.js";
import { hashOf } from "touchstone-t2i/internal/core/keys.js";
import { z } from "zod";
import { labModelNames } from "../../models/lab-model.js";

const count = z.int().positive();
const seed = z.int().nonnegative();

// Everything else in the file is for the program that trains.
const schema = z.object({
  splitSeed: seed,
  test: z.object({
    seed,
    prompts: z.strictObject({ animals: count, objects: count }),
    scenes: count,
  }),
  trainedOn: z.object({ "taxonomy.yaml": z.string(), "templates.yaml": z.string() }),
  shown: z
    .array(z.strictObject({ says: z.string(), metric: z.string(), model: z.enum(labModelNames) }))
    .min(1),
  timing: z.strictObject({
    pairs: count,
    prompts: z.strictObject({ count, seed }),
  }),
  settings: z.object({
    sigma: z.number().positive(),
    reach: z.number().positive(),
    slope: z.number(),
    middle: z.number(),
  }),
});

/** How `lab experiment proto-score --lab` is set up. */
export type ProtoScoreDesign = z.output<typeof schema>;

export const loadProtoScoreDesign = (): ProtoScoreDesign =>
  loadData("proto-score/lab.yaml", schema);

/** The files that prompts are written from which are others than when the weights were trained. */
export const changedSince = ({ trainedOn }: Pick<ProtoScoreDesign, "trainedOn">): string[] =>
  Object.entries(trainedOn)
    .filter(([name]) => name.endsWith(".yaml"))
    .filter(([name, hash]) => {
      return hashOf(readFileSync(toolFile(`data/prototypicality/${name}`))) !== hash;
    })
    .map(([name]) => name);

const levels = 10;

/** P(right) by which training starts, from a CLIPScore (2.5 times the cosine): the expected of ten scores. */
export const startProbability =
  ({ settings: { sigma, reach, slope, middle } }: Pick<ProtoScoreDesign, "settings">) =>
  (clipScore: number): number => {
    const merit = slope * (clipScore / 2.5 - middle);
    let [sum, mean] = [0, 0];
    for (let level = 0; level < levels; level++) {
      const share = level / (levels - 1);
      const weight = Math.exp(-((reach * (2 * share - 1) - merit) ** 2) / (2 * sigma ** 2));
      sum += weight;
      mean += weight * share;
    }
    return mean / sum;
  };

import { loadData } from "touchstone-t2i/internal/benchmarks/load-data.js";
import {
  buildPairs,
  countFaults,
} from "touchstone-t2i/internal/benchmarks/preference/build-pairs.js";
import {
  degradeImages,
  faultlessImages,
  noPreferencePairs,
} from "touchstone-t2i/internal/benchmarks/preference/no-preference-pairs.js";
import { paintedBy } from "touchstone-t2i/internal/cli/models/generator-choice.js";
import { objectives } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import { z } from "zod";
import type { AnswerRow } from "../../experiments/ensemble/answers.js";
import { labEqualPairs } from "../../preference-pairs.js";
import { sign } from "../../signature.js";
import { faultCount } from "../../truth/fault-count.js";
import { judgeLabPairs, type LabJudging } from "./judge-lab-pairs.js";

const count = z.int().positive();
const seed = z.int().nonnegative();

const designSchema = z.strictObject({
  version: count,
  model: z.literal("lab:judge"),
  embedder: z.literal("lab:dual-encoder-balanced"),
  drawn: z.strictObject({ count, seed }),
  styles: z.array(z.string()).min(1),
  pairs: count,
  level: z.literal([1, 2, 3, 4]),
  pairsSeed: seed,
  prompts: z.array(count).min(1),
  labels: z.array(count).min(1),
  clusters: count,
  seeds: z.strictObject({ training: count, labels: count }),
  objectives: z.array(z.enum(objectives)).min(1),
  lambda: z.number().positive(),
  temperature: z.number().positive(),
  folds: z.int().min(2),
  supportPerCluster: count,
  restarts: count,
  iterations: count,
  seed,
});

/** The test of no preference on pairs of the lab's own. */
export type LabNoPreference = z.output<typeof designSchema>;

export const loadLabNoPreference = (): LabNoPreference =>
  loadData("ensemble/lab-no-preference.yaml", designSchema);

/**
 * Captions that one painter paints twice: where both pictures show all that is said neither is better.
 * Of the first picture there are degraded copies, each worse than it. That is known by how they were
 * made, so they need no truth; they are signed anew, since degrading may spoil the lab's signature.
 */
export async function labNoPreferenceAnswers({
  design,
  ...judging
}: LabJudging & { readonly design: LabNoPreference }): Promise<AnswerRow[]> {
  const { pairs, pairsSeed, styles, level, model } = design;
  judging.output.note(`${pairs} captions, ${judging.prompts.length} prompts`);
  const { judged } = await judgeLabPairs(
    {
      run: judging.run,
      seed: pairsSeed,
      pairs: noPreferencePairs,
      models: [...new Set(labEqualPairs.painters), model],
      steps: [
        buildPairs({ source: labEqualPairs, seed: pairsSeed, count: pairs, styles }),
        ...(await paintedBy(labEqualPairs)),
        countFaults({ truth: faultCount }),
        degradeImages({ images: faultlessImages, level, mark: sign }),
      ],
    },
    judging,
  );
  return judged.map(({ pair, probabilities, embedding }) => ({
    id: pair.pair,
    group: pair.caption,
    label: pair.better === null ? null : pair.better === "a" ? 1 : 0,
    ...(pair.degradation === undefined ? {} : { degradation: pair.degradation }),
    probabilities,
    embedding,
  }));
}

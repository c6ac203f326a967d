import { join } from "node:path";
import { loadData } from "touchstone-t2i/internal/benchmarks/load-data.js";
import {
  buildPairs,
  countFaults,
} from "touchstone-t2i/internal/benchmarks/preference/build-pairs.js";
import { preferenceRows } from "touchstone-t2i/internal/benchmarks/preference/preference-rows.js";
import { paintedBy } from "touchstone-t2i/internal/cli/models/generator-choice.js";
import type { Hash } from "touchstone-t2i/internal/core/keys.js";
import { objectives } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { type Thumbnail, thumbnail } from "touchstone-t2i/internal/images/thumbnail.js";
import { z } from "zod";
import type { AnswerRow } from "../../experiments/ensemble/answers.js";
import type { ShownPairs } from "../../experiments/ensemble/image-groups-page.js";
import { labPairs } from "../../preference-pairs.js";
import { faultCount } from "../../truth/fault-count.js";
import { judgeLabPairs, type LabJudging } from "./judge-lab-pairs.js";

/**
 * One world of the lab's experiment: its pairs are drawn, painted and counted, every prompt judges
 * those of which one picture is better, and both pictures are embedded.
 */
export async function labAnswers(
  world: string,
  {
    design,
    run,
    ...judging
  }: LabJudging & { readonly design: Pick<LabDesign, "model" | "worlds"> },
): Promise<{
  readonly rows: AnswerRow[];
  readonly shown: ShownPairs;
  /** Both pictures of a pair, larger; undefined where there is none. */
  both(id: string): Promise<readonly [first: Thumbnail, second: Thumbnail] | undefined>;
  /** Style and subject of each row, on which the judge's prompts differ. */
  readonly kinds: readonly string[];
}> {
  const { styles = [], pairs: count = 0, seed = 0 } = design.worlds[world] ?? {};
  judging.output.note(`The world "${world}": ${count} pairs, ${judging.prompts.length} prompts`);
  const { judged, store } = await judgeLabPairs(
    {
      run: join(run, world),
      seed,
      models: [...labPairs.painters, design.model],
      steps: [
        buildPairs({ source: labPairs, seed, count, styles }),
        ...(await paintedBy(labPairs)),
        countFaults({ truth: faultCount }),
      ],
      // Nobody could be right about equal pairs.
      async pairs(records) {
        const { rows } = await preferenceRows(records);
        const unequal = rows.filter(({ preferred }) => preferred !== "tie");
        return unequal.map((row) => ({ ...row, pair: row.id }));
      },
    },
    judging,
  );
  const small = async (image: Hash, side: number) =>
    thumbnail(await openPicture(await store.blobs.read(image), image), { side });
  const images = new Map(judged.map(({ pair }) => [`${pair.id}`, pair]));
  return {
    rows: judged.map(({ pair, probabilities, embedding }) => ({
      id: pair.id,
      world,
      group: pair.caption,
      label: pair.preferred === "a" ? 1 : 0,
      probabilities,
      embedding,
    })),
    kinds: judged.map(({ pair: { style, subject } }) => `${style} ${subject}`),
    async shown(id) {
      const pair = images.get(id);
      if (pair === undefined) return undefined;
      return { caption: pair.caption, ...(await small(pair.imageA, shownSide)) };
    },
    async both(id) {
      const pair = images.get(id);
      if (pair === undefined) return undefined;
      const { imageA, imageB } = pair;
      return [await small(imageA, besideSide), await small(imageB, besideSide)];
    },
  };
}

/** Pixels: small, as pages have many. */
const shownSide = 112;
const besideSide = 320;

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

import type { Environment } from "touchstone-t2i/internal/cli/environment.js";
import type { Output } from "touchstone-t2i/internal/cli/terminal/output.js";
import { onTheWay } from "touchstone-t2i/internal/cli/terminal/progress.js";
import { type Collection, collect } from "touchstone-t2i/internal/cli/verbs/run/collect.js";
import { progressOf } from "touchstone-t2i/internal/cli/verbs/score/score-progress.js";
import type { Hash } from "touchstone-t2i/internal/core/keys.js";
import type { ChatModel, ImageEmbedder } from "touchstone-t2i/internal/core/models.js";
import type { RecordStore } from "touchstone-t2i/internal/core/record-store.js";
import type { AnyStep, Records } from "touchstone-t2i/internal/core/step.js";
import { pairEmbedding } from "touchstone-t2i/internal/ensembles/membership.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { judgePairs, type PairToJudge } from "touchstone-t2i/internal/judges/judge-pairs-step.js";
import { preferenceTable } from "touchstone-t2i/internal/judges/pairwise-judge.js";
import type { Prompt } from "touchstone-t2i/internal/judges/prompt.js";
import { inParallel } from "touchstone-t2i/internal/runs/in-parallel.js";

const embeddedAtOnce = 4;

/** As a journey names what follows the run. */
export const embedding = "embed-pairs";

/** With whom and where pairs of the lab's pictures are judged. */
export interface LabJudging
  extends Pick<Collection, "budget" | "journey" | "keepsFinished" | "callsAtOnce"> {
  /** The folder where runs and answers are kept. */
  readonly run: string;
  readonly model: ChatModel;
  readonly embedder: ImageEmbedder;
  readonly prompts: readonly Prompt[];
  /** The words after `touchstone`. */
  readonly command: readonly string[];
  readonly environment: Environment;
  readonly output: Output;
}

/** A pair as every prompt judged it. */
export interface JudgedPair<Pair extends PairToJudge> {
  readonly pair: Pair;
  /** P(the first image is better) by each prompt, null for no answer. */
  readonly probabilities: readonly (number | null)[];
  /** Embeddings of both images together. */
  readonly embedding: readonly number[];
}

/**
 * Collects what the steps still lack, has every prompt judge the pairs and embeds both images of each.
 * All but the embeddings is in a run, so that what was stopped goes on where it was.
 *
 * @param asked.pairs from the run's records, each time in the same order
 */
export async function judgeLabPairs<Pair extends PairToJudge>(
  {
    run,
    steps,
    seed,
    models,
    pairs,
  }: {
    readonly run: string;
    readonly steps: readonly AnyStep[];
    readonly seed: number;
    /** Whom all that asks, by name. */
    readonly models: readonly string[];
    pairs(records: Records): Promise<readonly Pair[]>;
  },
  { model, embedder, prompts, ...where }: Omit<LabJudging, "run">,
): Promise<{ readonly store: RecordStore; readonly judged: readonly JudgedPair<Pair>[] }> {
  const { store } = await collect(
    () => [
      ...steps,
      judgePairs({
        model,
        prompts,
        async *pairs(records) {
          yield* await pairs(records);
        },
      }),
    ],
    {
      run,
      seed,
      models,
      ...where,
      resume: ["touchstone", ...where.command],
    },
  );
  const { pairs: table } = await preferenceTable({
    judgments: store.ofType("judgment"),
    prompts: prompts.map(({ id }) => id),
  });
  const preferences = new Map(table.map((each) => [each.pair, each.preferences]));
  const all = await pairs(store);
  const images = new Set(all.flatMap(({ imageA, imageB }) => [imageA, imageB]));
  const of = await embedded(images, { store, embedder, ...where });
  return {
    store,
    judged: all.map((pair) => ({
      pair,
      probabilities: preferences.get(pair.pair) ?? prompts.map(() => null),
      embedding: Array.from(pairEmbedding(of(pair.imageA), of(pair.imageB))),
    })),
  };
}

async function embedded(
  images: ReadonlySet<Hash>,
  {
    store,
    embedder,
    environment,
    output,
    journey,
  }: Omit<LabJudging, "run" | "model" | "prompts"> & { readonly store: RecordStore },
): Promise<(image: Hash) => Float32Array> {
  const found = new Map<Hash, Float32Array>();
  journey?.begin(embedding);
  const show = progressOf("Embedding images:", images.size, { environment, output });
  await inParallel(images, {
    concurrency: embeddedAtOnce,
    signal: environment.signal,
    async work(hash) {
      const picture = await openPicture(await store.blobs.read(hash), hash);
      found.set(hash, await embedder.embedImage(picture, { signal: environment.signal }));
      journey?.reach(found.size / images.size);
      show(found.size);
    },
  });
  environment.signal.throwIfAborted();
  if (journey !== undefined) output.note(onTheWay(`Embedding: ${images.size} images`, journey));
  return (image) => {
    const embedding = found.get(image);
    if (embedding === undefined) throw new RangeError(`Expected an embedding of ${image}`);
    return embedding;
  };
}

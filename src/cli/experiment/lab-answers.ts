import { join } from "node:path";
import type { AnswerRow } from "../../analysis/ensemble-experiment-answers.js";
import {
  buildPairs,
  countFaults,
  type PreferenceRow,
  paintPairs,
  preferenceRows,
} from "../../benchmarks/preference/index.js";
import type { Hash } from "../../core/keys.js";
import type { ChatModel, ImageEmbedder } from "../../core/models.js";
import type { Records } from "../../core/step.js";
import { pairEmbedding } from "../../ensembles/membership.js";
import type { RunFolder } from "../../files/run-folder.js";
import { openPicture } from "../../images/picture.js";
import { judgePairs, type PairToJudge } from "../../judges/judge-pairs-step.js";
import { preferenceTable } from "../../judges/pair-preferences.js";
import type { Prompt } from "../../judges/prompt.js";
import { labPairs } from "../../lab/preference-pairs.js";
import { faultCount } from "../../lab/truth/fault-count.js";
import { inParallel } from "../../runs/in-parallel.js";
import type { Environment } from "../environment.js";
import { chooseGenerator } from "../generator-choice.js";
import type { Output } from "../output.js";
import { collect } from "../run/collect.js";
import { progressOf } from "../score/progress.js";
import type { LabDesign } from "./lab-design.js";

const embeddedAtOnce = 4;

/**
 * One world of the lab's experiment: its pairs are drawn, painted and counted, every prompt judges
 * those of which one picture is better, and both pictures are embedded. All is in a run, so that a
 * stopped experiment goes on where it was.
 */
export async function labAnswers(
  world: string,
  {
    design,
    run,
    model,
    embedder,
    prompts,
    command,
    environment,
    output,
  }: {
    readonly design: Pick<LabDesign, "model" | "worlds">;
    readonly run: string;
    readonly model: ChatModel;
    readonly embedder: ImageEmbedder;
    readonly prompts: readonly Prompt[];
    /** The words after `touchstone`. */
    readonly command: readonly string[];
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<AnswerRow[]> {
  const { styles = [], pairs: count = 0, seed = 0 } = design.worlds[world] ?? {};
  const painters = new Map(
    await Promise.all(
      labPairs.painters.map(
        async (name) => [name, (await chooseGenerator(name)).generator] as const,
      ),
    ),
  );
  output.note(`The world "${world}": ${count} pairs, ${prompts.length} prompts`);
  const { folder } = await collect(
    () => [
      buildPairs({ source: labPairs, seed, count, styles }),
      ...paintPairs({ painters }),
      countFaults({ truth: faultCount }),
      judgePairs({ model, prompts, pairs: unequalPairs }),
    ],
    {
      run: join(run, world),
      ...{ command, seed, limits: {}, environment, output },
      models: [...labPairs.painters, design.model],
    },
  );
  const { rows } = await preferenceRows(folder);
  const unequal = rows.filter(({ preferred }) => preferred !== "tie");
  const { pairs } = await preferenceTable({
    judgments: folder.ofType("judgment"),
    prompts: prompts.map(({ id }) => id),
  });
  const preferences = new Map(pairs.map((each) => [each.pair, each.preferences]));
  const embeddings = await embedded(unequal, { folder, embedder, environment, output });
  return unequal.map((row, at) => ({
    id: row.id,
    ...{ world, group: row.caption },
    label: row.preferred === "a" ? 1 : 0,
    probabilities: preferences.get(row.id) ?? prompts.map(() => null),
    embedding: embeddings[at] ?? null,
  }));
}

/** Of equal pairs nobody could be right. */
async function* unequalPairs(records: Records): AsyncGenerator<PairToJudge> {
  const { rows } = await preferenceRows(records);
  for (const { id, caption, imageA, imageB, preferred } of rows) {
    if (preferred !== "tie") yield { pair: id, caption, imageA, imageB };
  }
}

async function embedded(
  rows: readonly PreferenceRow[],
  {
    folder,
    embedder,
    environment,
    output,
  }: {
    readonly folder: RunFolder;
    readonly embedder: ImageEmbedder;
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<number[][]> {
  const hashes = new Set(rows.flatMap(({ imageA, imageB }) => [imageA, imageB]));
  const found = new Map<Hash, Float32Array>();
  const show = progressOf("Embedding images:", hashes.size, { environment, output });
  await inParallel(hashes, {
    concurrency: embeddedAtOnce,
    signal: environment.signal,
    async work(hash) {
      const picture = await openPicture(await folder.blobs.read(hash), hash);
      found.set(hash, await embedder.embedImage(picture, { signal: environment.signal }));
      show(found.size);
    },
  });
  environment.signal.throwIfAborted();
  const of = (hash: Hash) => found.get(hash) ?? new Float32Array();
  return rows.map(({ imageA, imageB }) => Array.from(pairEmbedding(of(imageA), of(imageB))));
}

import { IncompleteError, InputError } from "../../../core/errors.js";
import { type ImageEmbedder, modelName, placedName } from "../../../core/models.js";
import { NoAnswer } from "../../../core/unscored.js";
import { normaliseRows, pairEmbedding } from "../../../ensembles/membership.js";
import { openPictureFile } from "../../../images/picture-file.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import type { Budget } from "../../../runs/budget.js";
import { CallCosts } from "../../../runs/call-costs.js";
import { inParallel } from "../../../runs/in-parallel.js";
import { forecast, triedOf } from "../../../runs/step-forecast.js";
import { pluralText } from "../../../views/number-text.js";
import type { Environment } from "../../environment.js";
import { type Choosing, type Chosen, modelFor } from "../../models/model-for.js";
import type { Output } from "../../terminal/output.js";
import { forecastText } from "../run/item-progress.js";
import { progressOf } from "../score/score-progress.js";
import type { ItemRow } from "./judged-table.js";

const mostListed = 20;

/** Embeddings that the table brings along. @throws InputError for rows without, or of several lengths. */
function embeddingsOf(items: readonly ItemRow[], idle: ReadonlySet<number>): Float64Array[] {
  let length: number | undefined;
  const problems: string[] = [];
  const found = items.map(({ embeddings = [], place }, at) => {
    if (idle.has(at)) return new Float64Array();
    const [one, other] = embeddings;
    length ??= one?.length;
    if (one === undefined || embeddings.some((each) => each.length !== length)) {
      problems.push(
        one === undefined ? `${place}: none` : `${place}: another length than the rows before`,
      );
      return new Float64Array();
    }
    const vector = normaliseRows(Float64Array.from(one), one.length);
    return other === undefined ? vector : pairEmbedding(vector, other);
  });
  if (problems.length === 0) return found;
  throw new InputError(
    `Expected embedding, or embedding_a and embedding_b, in every row for --embedder column but ${problems.length} rows differ`,
    { problems: problems.slice(0, mostListed) },
  );
}

/**
 * Embeds each item by its image, where groups are asked for; of a pair see `pairEmbedding`.
 *
 * @throws as `embedImages`
 */
export async function embedItems(
  embedder: ImageEmbedder,
  items: readonly ItemRow[],
  {
    idle = new Set(),
    ...embedding
  }: Embedding & {
    /** Numbers of items that need no place: nothing stands for them. */
    readonly idle?: ReadonlySet<number> | undefined;
  },
): Promise<Float64Array[]> {
  if (embedder === columnEmbedder) return embeddingsOf(items, idle);
  const names = items
    .filter((_, at) => !idle.has(at))
    .flatMap(({ images }) => images.map(({ path, name }) => [path, name] as const));
  const found = await embedImages(embedder, new Map(names), embedding);
  return items.map(({ images }, at) => {
    if (idle.has(at)) return new Float64Array();
    const [one = new Float64Array(), other] = images.map(({ path }) => found.get(path));
    return other === undefined ? one : pairEmbedding(one, other);
  });
}

interface Embedding {
  /** Limits the calls of a hosted embedder; one on this machine spends nothing. */
  readonly budget: Budget;
  readonly meter: CallMeter;
  /** The command that goes on after a limit was met. */
  readonly goOn: string;
  readonly environment: Environment;
  readonly output: Output;
}

const atATime = 4;

/**
 * Embeds each image once, as a vector of length 1.
 *
 * @param names what messages call each image, by path
 * @throws InputError where the embedder refuses an image: without it an item has no place. IncompleteError
 *   where a limit was met or the server gave no answer for now.
 */
async function embedImages(
  embedder: ImageEmbedder,
  names: ReadonlyMap<string, string>,
  embedding: Embedding,
): Promise<ReadonlyMap<string, Float64Array>> {
  const { budget, goOn, environment, output } = embedding;
  const { signal } = environment;
  const isHosted = embedding.meter.watches(placedName(embedder.identity));
  if (isHosted) await foresee(embedder, names, embedding);
  const found = new Map<string, Float64Array>();
  const onDone = progressOf("Embedding:", names.size, { environment, output });
  await inParallel(names, {
    concurrency: atATime,
    signal,
    async work([path, name]) {
      if (isHosted && !(await budget.take())) return;
      const costs = new CallCosts();
      try {
        const image = await openPictureFile(path, name);
        const embedded = await embedder.embedImage(image, { signal, trace: costs.note });
        const vector = Float64Array.from(embedded);
        found.set(path, normaliseRows(vector, vector.length));
        onDone(found.size);
      } catch (thrown) {
        throw thrown instanceof NoAnswer ? notEmbedded(thrown, { name, embedder, goOn }) : thrown;
      } finally {
        if (isHosted) budget.put(costs.spent);
      }
    },
  });
  signal.throwIfAborted();
  if (found.size === names.size) return found;
  throw new IncompleteError(
    `Embedding met its limit of ${budget.over}: ${names.size - found.size} of ${pluralText(names.size, "image")} are not embedded`,
    { hint: `Go on with: ${goOn}` },
  );
}

/** Says what will be asked, before it is. */
async function foresee(
  embedder: ImageEmbedder,
  names: ReadonlyMap<string, string>,
  { budget, meter, environment: { signal }, output }: Embedding,
): Promise<void> {
  const isTried = triedOf(names.size);
  const tasks = [...names]
    .filter((_, at) => isTried(at))
    .map(([path, name]) => async () => {
      signal.throwIfAborted();
      return embedder.embedImage(await openPictureFile(path, name), { signal });
    });
  const foreseen = await forecast(meter, tasks, names.size);
  const { calls, cost = null } = foreseen;
  output.foresee({ what: "Embedding", tasks: names.size, calls, cost });
  if (calls > 0) output.note(`Embedding: ${forecastText(foreseen, budget.limits)}`);
  budget.expect(foreseen);
}

function notEmbedded(
  { message, retryable }: NoAnswer,
  {
    name,
    embedder,
    goOn,
  }: { readonly name: string; readonly embedder: ImageEmbedder; readonly goOn: string },
): Error {
  const text = `Expected an embedding of ${name} by ${modelName(embedder.identity)} but received none: ${message}`;
  return retryable
    ? new IncompleteError(text, { hint: `Go on with: ${goOn}` })
    : new InputError(text, { hint: "Name another --embedder, or none: --clusters 1" });
}

const isColumn = (name: string): boolean => /^column(:embedding)?$/.test(name);

/** Stands for embeddings that a table brings along: `embedItems` reads them there. */
export const columnEmbedder: ImageEmbedder = {
  identity: { provider: "column", model: "embedding" },
  embedImage: () => Promise.reject(new Error("Embeddings of a column are read, not made")),
};

/** The model that embeds images, or the table's columns (column). @throws InputError where it does not. */
export async function chooseEmbedder(
  name: string,
  choosing: Choosing,
): Promise<Chosen<ImageEmbedder>> {
  if (isColumn(name)) {
    return { model: columnEmbedder, judgesPhotographs: true, load: async () => {} };
  }
  return modelFor(name, "ImageEmbedder", { flag: "--embedder", ...choosing });
}

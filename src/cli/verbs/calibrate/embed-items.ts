import { InputError } from "../../../core/errors.js";
import { type ImageEmbedder, modelName } from "../../../core/models.js";
import { NoAnswer } from "../../../core/unscored.js";
import { normaliseRows, pairEmbedding } from "../../../ensembles/membership.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { pluralText } from "../../../report/text/number-text.js";
import { inParallel } from "../../../runs/in-parallel.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { columnEmbedder } from "./choose-judge.js";
import type { ItemRow } from "./judged-table.js";
import { showShare } from "./long-work.js";

const atATime = 4;
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
 * What stands for each item where groups are asked for: its image's embedding; of a pair see
 * `pairEmbedding`. Each image is embedded once.
 *
 * @throws InputError where the embedder refuses an image: without it an item has no place.
 */
export async function embedItems(
  embedder: ImageEmbedder,
  items: readonly ItemRow[],
  {
    idle = new Set(),
    environment,
    output,
  }: {
    /** Numbers of items that need no place: nothing stands for them. */
    readonly idle?: ReadonlySet<number>;
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<Float64Array[]> {
  if (embedder === columnEmbedder) return embeddingsOf(items, idle);
  const names = new Map(
    items
      .filter((_, at) => !idle.has(at))
      .flatMap(({ images }) => images.map(({ path, name }) => [path, name] as const)),
  );
  const found = new Map<string, Float64Array>();
  const show = showShare(`Embedding ${pluralText(names.size, "image")}`, { environment, output });
  await inParallel(names, {
    concurrency: atATime,
    signal: environment.signal,
    async work([path, name]) {
      try {
        const image = await openPictureFile(path, name);
        const vector = Float64Array.from(
          await embedder.embedImage(image, { signal: environment.signal }),
        );
        found.set(path, normaliseRows(vector, vector.length));
        show(found.size / names.size);
      } catch (thrown) {
        if (!(thrown instanceof NoAnswer)) throw thrown;
        throw new InputError(
          `Expected an embedding of ${name} by ${modelName(embedder.identity)} but received none: ${thrown.message}`,
          { hint: "Name another --embedder, or none: --clusters 1" },
        );
      }
    },
  });
  environment.signal.throwIfAborted();
  return items.map(({ images }, at) => {
    if (idle.has(at)) return new Float64Array();
    const [one = new Float64Array(), other] = images.map(({ path }) => found.get(path));
    return other === undefined ? one : pairEmbedding(one, other);
  });
}

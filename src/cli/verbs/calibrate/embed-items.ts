import { InputError } from "../../../core/errors.js";
import type { ImageEmbedder } from "../../../core/models.js";
import { normaliseRows, pairEmbedding } from "../../../ensembles/membership.js";
import { columnEmbedder } from "./choose-judge.js";
import { type Embedding, embedImages } from "./embed-images.js";
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

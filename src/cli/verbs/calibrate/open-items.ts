import { someAtATime } from "../../../core/all-ended.js";
import { InputError } from "../../../core/errors.js";
import type { Hash } from "../../../core/keys.js";
import type { RecordStore } from "../../../core/record-store.js";
import { NoAnswer } from "../../../core/unscored.js";
import { sha256 } from "../../../files/blobs/blob-address.js";
import { outsideProblem } from "../../../files/outside.js";
import { mostImageBytes, readRegularFile } from "../../../files/regular-file.js";
import { openPictureFile } from "../../../images/picture-file.js";
import type { ItemToJudge } from "../../../judges/answers-so-far.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { progressOf } from "../score/score-progress.js";
import type { ImageCell, ItemRow } from "./judged-table.js";

/** Each file's SHA-256, by path. */
export type ImageHashes = ReadonlyMap<string, Hash>;

/** As many as Node decodes at a time by default. */
const atATime = 4;

interface FoundCell extends ImageCell {
  readonly place: string;
}

/**
 * Opens every image once before any model is asked.
 *
 * @throws InputError naming every item whose image is missing or broken, up to twenty.
 */
export async function openItems(
  items: readonly ItemRow[],
  { environment, output }: { readonly environment: Environment; readonly output: Output },
): Promise<ImageHashes> {
  const files = new Map<string, FoundCell>();
  for (const { images, place } of items) {
    for (const image of images) {
      if (!files.has(image.path)) files.set(image.path, { ...image, place });
    }
  }
  const hashes = new Map<string, Hash>();
  const show = progressOf("Opening images:", files.size, { environment, output });
  const look = async ([path, { name, place, folders }]: readonly [string, FoundCell]) => {
    environment.signal.throwIfAborted();
    const outside = folders === undefined ? undefined : await outsideProblem(path, folders);
    if (outside !== undefined) return [`${place}: Can't read ${name}: ${outside}`];
    try {
      const picture = await openPictureFile(path, name);
      await picture.pixels();
      hashes.set(path, picture.hash);
      return [];
    } catch (thrown) {
      if (!(thrown instanceof NoAnswer)) throw thrown;
      return [`${place}: ${thrown.message}`];
    }
  };
  const problems = (await someAtATime([...files], look, { atATime, onDone: show })).flat();
  if (problems.length === 0) return hashes;
  throw new InputError(`${problems.length} of ${files.size} images can't be judged`, {
    problems,
    hint: "No model was asked. Correct or remove these rows. --images DIR says where images are.",
  });
}

/**
 * Items of a table as a step plans them; the run notes where their images lie when they are first
 * planned, and keeps no copy.
 */
export function itemsOfRun(
  items: readonly ItemRow[],
  { store, hashes }: { readonly store: RecordStore; readonly hashes: ImageHashes },
): () => AsyncGenerator<ItemToJudge> {
  const noted = new Set<string>();
  const refer = async (path: string): Promise<Hash> => {
    const hash = hashes.get(path);
    if (hash !== undefined && noted.has(path)) return hash;
    const found = sha256(await readRegularFile(path, { mostBytes: mostImageBytes }));
    await store.blobs.refer(found, path);
    noted.add(path);
    return found;
  };
  return async function* () {
    for (const { id, text, images } of items) {
      const hashesOf: Hash[] = [];
      for (const { path } of images) hashesOf.push(await refer(path));
      yield { id, text, images: hashesOf };
    }
  };
}

/** The same, once a run has noted where their images lie. */
export async function* itemsAsked(
  items: readonly ItemRow[],
  hashes: ImageHashes,
): AsyncGenerator<ItemToJudge> {
  for (const { id, text, images } of items) {
    yield { id, text, images: images.flatMap(({ path }) => hashes.get(path) ?? []) };
  }
}

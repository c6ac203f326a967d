import type { Hash } from "../../../core/keys.js";
import type { RecordStore } from "../../../core/record-store.js";
import { sha256 } from "../../../files/blobs/blob-address.js";
import { mostImageBytes, readRegularFile } from "../../../files/regular-file.js";
import type { ItemToJudge } from "../../../judges/item-to-judge.js";
import type { ItemRow } from "./judged-table.js";
import type { ImageHashes } from "./open-items.js";

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

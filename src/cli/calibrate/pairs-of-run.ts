import { readFile } from "node:fs/promises";
import type { Hash } from "../../core/keys.js";
import type { RunFolder } from "../../files/run-folder.js";
import type { PairToJudge } from "../../judges/judge-pairs-step.js";
import type { ImageHashes } from "./open-pairs.js";
import type { PairRow } from "./pair-table.js";

/**
 * Pairs of a table as a step plans them; the run notes where their images lie when they are first
 * planned, and keeps no copy.
 */
export function pairsOfRun(
  pairs: readonly PairRow[],
  { folder, hashes }: { readonly folder: RunFolder; readonly hashes: ImageHashes },
): () => AsyncGenerator<PairToJudge> {
  const noted = new Set<string>();
  const refer = async (path: string): Promise<Hash> => {
    const hash = hashes.get(path);
    if (hash !== undefined && noted.has(path)) return hash;
    const referred = await folder.blobs.refer(await readFile(path), path);
    noted.add(path);
    return referred;
  };
  return async function* () {
    for (const { id, caption, pathA, pathB } of pairs) {
      const [imageA, imageB] = [await refer(pathA), await refer(pathB)];
      yield { pair: id, caption, imageA, imageB };
    }
  };
}

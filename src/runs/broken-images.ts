import type { Hash, Key } from "../core/keys.js";
import type { BlobStore } from "../core/record-store.js";
import type { AnyRecord } from "../core/records.js";
import type { KnownFiles } from "../images/known-files.js";

/** An image of a run that is gone, or whose bytes are not those that were collected. */
export interface BrokenImage {
  /** The record that has it. */
  readonly key: Key;
  /** One sentence, with the file. */
  readonly problem: string;
}

// As many files as Node reads at a time by default.
const atATime = 4;

/**
 * The images of `records` whose bytes are gone or damaged, in the order of their records: every file
 * is read and hashed, but for a user's own that is known and stands as it was.
 */
export async function brokenImages(
  blobs: BlobStore,
  records: AsyncIterable<AnyRecord> | Iterable<AnyRecord>,
  known?: KnownFiles,
): Promise<BrokenImage[]> {
  const found: BrokenImage[] = [];
  // Nothing is kept of an image that stands, so that memory does not grow with them.
  let some: { readonly key: Key; readonly image: Hash }[] = [];
  async function check(): Promise<void> {
    const problems = await Promise.all(some.map(({ image }) => problemOf(image, blobs, known)));
    for (const [at, { key }] of some.entries()) {
      const problem = problems[at];
      if (problem !== undefined) found.push({ key, problem });
    }
    some = [];
  }
  for await (const record of records) {
    if (record.type !== "image" || record.status !== "done") continue;
    some.push(record);
    if (some.length === atATime) await check();
  }
  await check();
  return found;
}

async function problemOf(hash: Hash, blobs: BlobStore, known?: KnownFiles) {
  const stands = await known?.pathOf(hash);
  if (stands !== undefined && stands === (await blobs.addressOf(hash))) return undefined;
  return blobs.problemOf(hash);
}

import { InputError } from "../core/errors.js";
import type { Json, JsonObject } from "../core/json.js";
import { type Hash, type Key, keyOf } from "../core/keys.js";
import type { KeyState, RecordStore, RunWriter, StepWriter } from "../core/record-store.js";
import type { AnyRecord } from "../core/records.js";
import { stepId } from "../core/step.js";
import { inParallel } from "./in-parallel.js";

const atOnce = 2_000;
const filesAtOnce = 8;

export interface CopyOptions {
  readonly signal: AbortSignal;
  /** Told after each part of a step. */
  readonly onProgress?: (progress: { readonly step: string; readonly records: number }) => void;
}

export interface CopiedRun {
  /** Records that the copy lacked. */
  readonly records: number;
  /** Images that it lacked. */
  readonly images: number;
  /** Whether all was copied: `signal` did not stop it. */
  readonly isWhole: boolean;
}

/**
 * Copies a run into another home, which was opened with `copyOf` its recipe. What is there already is
 * passed over, so a copy that was stopped is gone on with, and one of a run that has grown grows. Steps
 * that are finished are finished in the copy: their bytes are the same in every home.
 *
 * @throws InputError where the copy holds other records than the run, and was finished.
 */
export async function copyRun(
  from: RecordStore,
  to: RecordStore,
  { signal, onProgress = () => {} }: CopyOptions,
): Promise<CopiedRun> {
  const writer = await to.startWriting([]);
  const images = new ImageCopy({ from, to, writer, signal });
  let records = 0;
  try {
    for (const step of from.recipe.steps.map(stepId)) {
      const isFinished = (await from.stateOf(step)) === "finished";
      if (isFinished && (await isSame(from, to, step))) {
        for await (const some of chunksOf(from.ofStep(step))) await images.of(some);
        continue;
      }
      const stored = await writer.openStep(step);
      try {
        for await (const some of chunksOf(from.ofStep(step))) {
          if (signal.aborted) break;
          await images.of(some);
          const lacking = await lackingOf(some, { stored, isFinished });
          await stored.append(lacking);
          records += lacking.length;
          onProgress({ step, records });
        }
        if (isFinished && !signal.aborted) await stored.finish({ signal });
      } finally {
        await stored.close();
      }
      if (isFinished && !signal.aborted && !(await isSame(from, to, step))) {
        throw new InputError(
          `Expected the records of ${step} in ${to.place} to be copies but others stand there`,
          {
            hint: "Copy the run to a new place.",
          },
        );
      }
    }
    if (!signal.aborted) await copyTrace(from, to, { writer, signal });
  } finally {
    await writer.close();
  }
  return { records, images: images.copied, isWhole: !signal.aborted };
}

/** Puts some records at the end of the plan; returns those that the copy lacks, as they are to be kept. */
async function lackingOf(
  some: readonly AnyRecord[],
  { stored, isFinished }: { readonly stored: StepWriter; readonly isFinished: boolean },
): Promise<readonly AnyRecord[]> {
  const keys = some.map(({ key }) => key);
  await stored.plan(keys);
  const states = await stored.look(keys);
  return some.flatMap((record, at) => {
    const { attempt, isWanted }: KeyState = states[at] ?? { attempt: 0, isWanted: true };
    if (!isFinished) {
      const isNewer = attempt < record.attempt || (isWanted && record.status === "done");
      return isNewer ? [record] : [];
    }
    // What a finished step keeps says one attempt; it has to count for more than what was copied
    // before it was finished.
    if (!isWanted && attempt === 1) return [];
    return [attempt === 0 ? record : { ...record, attempt: attempt + 1 }];
  });
}

/** Whether a step is finished in both homes, with the same records in the same order. */
async function isSame(from: RecordStore, to: RecordStore, step: string): Promise<boolean> {
  if ((await to.stateOf(step)) !== "finished") return false;
  const others = to.ofStep(step)[Symbol.asyncIterator]();
  for await (const record of from.ofStep(step)) {
    const { value, done } = await others.next();
    if (done === true || JSON.stringify(value) !== JSON.stringify(record)) return false;
  }
  return (await others.next()).done === true;
}

interface Homes {
  readonly from: RecordStore;
  readonly to: RecordStore;
  readonly writer: RunWriter;
  readonly signal: AbortSignal;
}

/** The images that records name, and what is known to be in them. */
class ImageCopy {
  readonly #homes: Homes;
  readonly #seen = new Set<Hash>();
  copied = 0;

  constructor(homes: Homes) {
    this.#homes = homes;
  }

  async of(records: readonly AnyRecord[]): Promise<void> {
    const { signal } = this.#homes;
    const wanted = records.flatMap((record) =>
      hashesOf(record).flatMap((hash) => {
        if (this.#seen.has(hash)) return [];
        this.#seen.add(hash);
        return [{ hash, mediaType: "mediaType" in record ? record.mediaType : undefined }];
      }),
    );
    const painted = records.filter(({ type, status }) => type === "image" && status === "done");
    const work = [
      ...wanted.map((one) => () => this.#copyImage(one)),
      ...painted.map(
        ({ key }) =>
          () =>
            this.#copyTruth(key),
      ),
    ];
    await inParallel(work, { concurrency: filesAtOnce, signal, work: (one) => one() });
  }

  async #copyImage({
    hash,
    mediaType = "application/octet-stream",
  }: {
    readonly hash: Hash;
    readonly mediaType?: string | undefined;
  }): Promise<void> {
    const { from, to, writer } = this.#homes;
    if ((await to.blobs.problemOf(hash)) === undefined) return;
    // A judge's run names images that it does not keep.
    if ((await from.blobs.problemOf(hash)) !== undefined) return;
    await writer.blobs.write(await from.blobs.read(hash), mediaType);
    this.copied++;
  }

  async #copyTruth(image: Key): Promise<void> {
    const { from, to, writer } = this.#homes;
    if ((await to.truth.read(image)) !== undefined) return;
    const truth = await from.truth.read(image);
    if (truth !== undefined) await writer.truth.write(image, truth);
  }
}

const isHash = (value: unknown): value is Hash =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** The hashes of the images that a record has or is about. */
const hashesOf = (record: AnyRecord): Hash[] => Object.values(record).flat().filter(isHash);

/** Copies what was noted beside the records; what the copy noted already stands once. */
async function copyTrace(
  from: RecordStore,
  to: RecordStore,
  { writer, signal }: Pick<Homes, "writer" | "signal">,
): Promise<void> {
  const there = new Map<Key, number>();
  for await (const entry of to.trace()) {
    const name = keyOf(entry as Json);
    there.set(name, (there.get(name) ?? 0) + 1);
  }
  for await (const some of chunksOf(from.trace())) {
    if (signal.aborted) return;
    const lacking = some.filter((entry) => {
      const name = keyOf(entry as Json);
      const count = there.get(name) ?? 0;
      there.set(name, count - 1);
      return count <= 0;
    });
    await Promise.all(lacking.map((entry) => writer.trace(entry as JsonObject)));
  }
}

async function* chunksOf<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let some: Item[] = [];
  for await (const item of items) {
    if (some.push(item) < atOnce) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

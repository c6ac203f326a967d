import { rm } from "node:fs/promises";
import type { Json } from "../core/json.js";
import type { Key } from "../core/keys.js";
import type { AnyRecord } from "../core/records.js";
import type { UnscoredReason } from "../core/unscored.js";
import { writeFileAtomically } from "./atomic.js";
import { LineReader } from "./line-reader.js";
import { readRecords, supersedes } from "./read-records.js";
import { type Place, Segment } from "./segment.js";

/** What is known of a key without reading its record again. */
export interface Standing {
  readonly attempt: number;
  readonly status: "done" | "unscored";
  readonly reason: UnscoredReason | undefined;
  readonly retryable: boolean;
}

/** The files that hold the records of one step. */
export interface StepFiles {
  /** `name@version`. */
  readonly step: string;
  /** The step's own file, such as `records/01-build.jsonl`. */
  readonly path: string;
  readonly exists: boolean;
  /** What processes left in `records/`. */
  readonly segments: readonly string[];
  /** Where this process may begin a segment. */
  readonly directory: string;
}

/**
 * The records of one step while the loop works on it. Memory grows by some 200 bytes a record:
 * the records themselves stay on the disk.
 */
export class StepRecords {
  readonly #files: StepFiles;
  readonly #standings = new Map<Key, Standing & { readonly place: Place }>();
  /** Segments in which nothing but this step stands: superfluous once the step is compacted. */
  readonly #segments = new Set<string>();
  #segment: Promise<Segment> | undefined;

  private constructor(files: StepFiles) {
    this.#files = files;
  }

  static async open(files: StepFiles): Promise<StepRecords> {
    const records = new StepRecords(files);
    if (files.exists) {
      for await (const { record, place } of readRecords(files.path)) records.#take(record, place);
    }
    for (const path of files.segments) {
      let hasOthers = false;
      for await (const { record, place } of readRecords(path, { tolerateTornTail: true })) {
        if (record.step === files.step) records.#take(record, place);
        else hasOthers = true;
      }
      if (!hasOthers) records.#segments.add(path);
    }
    return records;
  }

  get(key: Key): Standing | undefined {
    return this.#standings.get(key);
  }

  /** Resolves when the operating system has the record: from then on it survives the process. */
  async append(record: AnyRecord): Promise<void> {
    this.#segment ??= Segment.create(this.#files.directory);
    const segment = await this.#segment;
    this.#segments.add(segment.path);
    this.#take(record, await segment.append(JSON.stringify(record)));
  }

  /**
   * Rewrites the step's file in the order of `plan`, so that the same run gives the same bytes,
   * then removes the segments that are thereby superfluous. Killed in between, it leaves records
   * twice, which readers take for one. Records that the plan no longer has are handed to
   * `setAside` and then left out.
   */
  async compact(plan: readonly Key[], setAside: (record: Json) => Promise<void>): Promise<void> {
    await this.close();
    if (!this.#isCompacted(plan)) {
      const lines = new LineReader();
      try {
        await this.#setAside(plan, lines, setAside);
        await writeFileAtomically(this.#files.path, this.#inOrder(plan, lines));
      } finally {
        await lines.close();
      }
    }
    for (const path of this.#segments) await rm(path, { force: true });
    this.#segments.clear();
  }

  /** Ends this process's segment, which stays for the next one to go on from. */
  async close(): Promise<void> {
    const segment = await this.#segment;
    this.#segment = undefined;
    await segment?.close();
  }

  #take(record: AnyRecord, place: Place): void {
    if (!supersedes(record, this.#standings.get(record.key))) return;
    const { attempt, status } = record;
    const [reason, retryable] =
      status === "done" ? [undefined, false] : [record.reason, record.retryable];
    this.#standings.set(record.key, { attempt, status, reason, retryable, place });
  }

  /** Whether the file holds the planned records already, in order and with nothing between. */
  #isCompacted(plan: readonly Key[]): boolean {
    if (plan.length !== this.#standings.size) return false;
    let end = 0;
    for (const key of plan) {
      const place = this.#standings.get(key)?.place;
      if (place?.path !== this.#files.path || place.offset !== end) return false;
      end += place.length + 1;
    }
    return true;
  }

  async #setAside(
    plan: readonly Key[],
    lines: LineReader,
    setAside: (record: Json) => Promise<void>,
  ): Promise<void> {
    const planned = new Set(plan);
    for (const [key, { place }] of this.#standings) {
      if (!planned.has(key)) await setAside(JSON.parse(await lines.read(place)) as Json);
    }
  }

  async *#inOrder(plan: readonly Key[], lines: LineReader): AsyncGenerator<string> {
    for (const key of plan) {
      const standing = this.#standings.get(key);
      if (standing !== undefined) yield `${await lines.read(standing.place)}\n`;
    }
  }
}

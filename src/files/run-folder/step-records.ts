import { rm } from "node:fs/promises";
import type { Json, JsonObject } from "../../core/json.js";
import type { RecordPosition } from "../../core/record-store.js";
import { type AnyRecord, anyRecord } from "../../core/records.js";
import { RecordIndex } from "../record-index.js";
import { LineReader, readRecords } from "./line-reader.js";
import type { Seals } from "./seals.js";
import { Segment } from "./segment.js";
import type { StepFiles } from "./step-files.js";

/** A record or line that was left out when a step's records were put in order. */
export type SetAside =
  | { readonly kind: "unplanned"; readonly record: Json }
  | { readonly kind: "torn"; readonly text: string }
  | Tried;

/**
 * The records of one step while it is collected: in the step's own file, in segments that stopped
 * processes left, and in this process's segment. Keeps an index of at most 64 bytes a record in memory.
 */
export class StepRecords {
  readonly index = new RecordIndex();
  readonly #files: StepFiles;
  readonly #owner: string;
  readonly #seals: Seals;
  /** The last lines of segments that a killed process left torn. */
  readonly #torn = new Map<string, string>();
  /** Whether lines lie elsewhere than the index says, since the step was put in order. */
  #isMoved = false;
  #segment: Promise<Segment> | undefined;

  private constructor(files: StepFiles, owner: string, seals: Seals) {
    this.#files = files;
    this.#owner = owner;
    this.#seals = seals;
  }

  /** @param owner names the segment that this process appends to */
  static async open({
    files,
    owner,
    seals,
  }: {
    files: StepFiles;
    owner: string;
    seals: Seals;
  }): Promise<StepRecords> {
    const records = new StepRecords(files, owner, seals);
    await records.#read();
    return records;
  }

  /** Resolves when the operating system has the records: from then on they survive the process. */
  async append(records: readonly AnyRecord[]): Promise<void> {
    this.#segment ??= this.#begin();
    const segment = await this.#segment;
    const places = segment.append(records.map((record) => JSON.stringify(record)));
    for (const [at, place] of places.entries()) {
      const record = records[at];
      if (record !== undefined) this.index.take(record, place);
    }
  }

  /**
   * Rewrites the step's file in the order of the plan, so that the same run gives the same bytes, seals
   * it, then removes the segments. A kill leaves records in two places at most; readers count them once.
   * @param setAside takes records that the plan does not have, and the torn last lines of killed
   * processes, whose tasks were asked again
   */
  async compact(setAside: (entry: SetAside) => Promise<void>): Promise<void> {
    await this.close();
    if (this.#isMoved) await this.#read();
    const segments = await this.#files.segments();
    if (!this.#isInOrder()) {
      const lines = new LineReader();
      try {
        for (const place of this.index.unplanned()) {
          await setAside({ kind: "unplanned", record: JSON.parse(await lines.read(place)) });
        }
        await this.#write(this.#linesInOrder(lines));
      } finally {
        await lines.close();
      }
    }
    for (const { path } of segments) {
      const torn = this.#torn.get(path);
      if (torn !== undefined) await setAside({ kind: "torn", text: torn });
      await rm(path, { force: true });
    }
    await this.#countOnce(setAside);
  }

  /** Closes this process's segment, which stays until the step is put in order. */
  async close(): Promise<void> {
    const segment = await this.#segment;
    this.#segment = undefined;
    await segment?.close();
  }

  async #begin(): Promise<Segment> {
    const path = this.#files.segmentOf(this.#owner);
    const segment = await Segment.begin(path);
    if (segment === undefined) throw new Error(`Expected to begin ${path} but it exists`);
    return segment;
  }

  /** Reads all records; those in the step's own file win over segments. */
  async #read(): Promise<void> {
    this.index.forgetRecords();
    this.#torn.clear();
    for (const { path } of await this.#files.segments()) {
      const onTorn = (text: string) => void this.#torn.set(path, text);
      for await (const { record, place } of readRecords(path, { tolerateTornTail: true, onTorn })) {
        this.index.take(record, place);
      }
    }
    if (await this.#files.exists()) {
      for await (const { record, place } of readRecords(this.#files.path)) {
        this.index.take(record, place, { instead: true });
      }
    }
    this.#isMoved = false;
  }

  /** Tells whether the file already holds the records in order, without gaps. */
  #isInOrder(): boolean {
    let end = 0;
    const follows = ({ part, offset, length }: RecordPosition) => {
      const isNext = part === this.#files.path && offset === end;
      end += length + 1;
      return isNext;
    };
    for (const { place } of this.index.inOrder()) if (!follows(place)) return false;
    for (const _ of this.index.unplanned()) return false;
    return true;
  }

  /** Those that follow each other in a file are read together: most were written in the order of the plan. */
  async *#linesInOrder(lines: LineReader): AsyncGenerator<string> {
    let run: RecordPosition | undefined;
    for (const { place } of this.index.inOrder()) {
      if (run === undefined) {
        run = place;
        continue;
      }
      const { part, offset, length } = run;
      const isNext = part === place.part && offset + length + 1 === place.offset;
      if (isNext && length < mostTogether) {
        run = { part, offset, length: length + 1 + place.length };
        continue;
      }
      yield `${await lines.read(run)}\n`;
      run = place;
    }
    if (run !== undefined) yield `${await lines.read(run)}\n`;
  }

  async #write(lines: AsyncIterable<string>): Promise<void> {
    await this.#seals.write(this.#files.name, lines, { owner: this.#owner });
    this.#isMoved = true;
  }

  /**
   * Stores retried records as tried once, so that failures on the way do not change the run's bytes. Runs
   * after the segments are gone, since an earlier attempt in one would win.
   */
  async #countOnce(setAside: (entry: SetAside) => Promise<void>): Promise<void> {
    if (!this.#isTriedAgain()) return;
    if (this.#isMoved) await this.#read();
    const lines = new LineReader();
    const once = async function* (index: RecordIndex) {
      for (const { standing, place } of index.inOrder()) {
        const line = await lines.read(place);
        const { text, tried } = standing.attempt === 1 ? { text: line } : onceTried(line);
        if (tried !== undefined) await setAside(tried);
        yield `${text}\n`;
      }
    };
    try {
      await this.#write(once(this.index));
    } finally {
      await lines.close();
    }
  }

  #isTriedAgain(): boolean {
    for (const { standing } of this.index.inOrder()) if (standing.attempt > 1) return true;
    return false;
  }
}

/** Bytes of lines that are read together. */
const mostTogether = 65_536;

/** Number of attempts that a final record took. */
type Tried = JsonObject & { readonly kind: "tried"; readonly attempts: number };

/**
 * Returns a retried record's line as a finished step keeps it, with one attempt, since failures differ
 * between two runs; the number of attempts goes to the trace.
 */
function onceTried(line: string): { readonly text: string; readonly tried: Tried } {
  const record = anyRecord.parse(JSON.parse(line));
  const { key, step, attempt } = record;
  return {
    text: JSON.stringify({ ...record, attempt: 1 }),
    tried: { kind: "tried", key, step, attempts: attempt },
  };
}

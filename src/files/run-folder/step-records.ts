import { rm } from "node:fs/promises";
import type { Json } from "../../core/json.js";
import type { RecordPosition } from "../../core/record-store.js";
import type { AnyRecord } from "../../core/records.js";
import { onceTried, type Tried } from "../once-tried.js";
import { RecordIndex } from "../record-index.js";
import { LineReader } from "./line-reader.js";
import { readRecords } from "./read-records.js";
import type { Seals } from "./seals.js";
import { Segment } from "./segment.js";
import type { StepFiles } from "./step-files.js";

/** Record left over when a step's records are put in order. */
export type SetAside =
  | { readonly kind: "unplanned"; readonly record: Json }
  | { readonly kind: "torn"; readonly text: string }
  | Tried;

/**
 * The records of one step while it is collected: those in the step's own file, those in segments that
 * stopped processes left, and those that this process appends to its own segment. In memory is an
 * index of at most 64 bytes a record.
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

  /** Resolves when the operating system has the record: from then on it survives the process. */
  async append(record: AnyRecord): Promise<void> {
    this.#segment ??= this.#begin();
    this.index.take(record, await (await this.#segment).append(JSON.stringify(record)));
  }

  /**
   * Rewrites the step's file in the order of the plan, so that the same run gives the same bytes,
   * and seals it, then removes the segments. Killed at any moment it leaves records twice at most,
   * which readers take for one.
   *
   * @param setAside takes records that the plan does not have, and what a killed process left of its
   *   last line: its task was asked again
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

  /** Ends this process's segment, which stays until the step is put in order. */
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

  /** Reads all that is there; what stands in the step's own file counts for more than segments. */
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

  /** Whether the file holds what it should already, in order and with nothing between. */
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

  async *#linesInOrder(lines: LineReader): AsyncGenerator<string> {
    for (const { place } of this.index.inOrder()) yield `${await lines.read(place)}\n`;
  }

  async #write(lines: AsyncIterable<string>): Promise<void> {
    await this.#seals.write(this.#files.name, lines, { owner: this.#owner });
    this.#isMoved = true;
  }

  /**
   * Keeps what was tried again as tried once, so that a run gives the same bytes whatever failed on
   * its way. After the segments are gone: an earlier attempt in one would count for more.
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

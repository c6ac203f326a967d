import { rm, stat } from "node:fs/promises";
import type { Json } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import type { RecordPosition } from "../../core/record-store.js";
import type { AnyRecord } from "../../core/records.js";
import { fileError, systemCode } from "../file-error.js";
import { onceTried, type Tried } from "../once-tried.js";
import { RecordIndex, type Standing } from "../record-index.js";
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
 * The records of one step while the loop works on it: what stands in the step's own file, what
 * this process appends to its segment, and what others append to theirs. In memory is an index of
 * at most 64 bytes a record.
 */
export class StepRecords {
  readonly index = new RecordIndex();
  readonly #files: StepFiles;
  readonly #owner: string;
  readonly #seals: Seals;
  /** How far each segment of others was read, in bytes; infinite once it can't grow any more. */
  readonly #read = new Map<string, number>();
  /** The last lines of segments, where they are not whole: torn, or still being written. */
  readonly #torn = new Map<string, string>();
  /** Tells whether the step's own file is still the one that was read. */
  #version: string | undefined;
  #segment: Promise<Segment> | undefined;
  #ownPath: string | undefined;

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
    await records.refresh();
    return records;
  }

  /** Names the step among the claims of those at work. */
  get name(): string {
    return this.#files.stem;
  }

  get(key: Key): Standing | undefined {
    return this.index.get(key);
  }

  /** Resolves when the operating system has the record: from then on it survives the process. */
  async append(record: AnyRecord): Promise<void> {
    this.#segment ??= this.#begin();
    this.index.take(record, await (await this.#segment).append(JSON.stringify(record)));
  }

  /**
   * Reads what others have added since; returns how many keys that were wanted have a record now.
   *
   * @param look tells of the owners of segments whether they are no longer at work; not called where
   *   there is no segment that could have grown
   */
  async refresh(
    look: () => Promise<(owner: string) => boolean> = async () => () => false,
  ): Promise<number> {
    let fulfilled = 0;
    const version = await versionOf(this.#files.path);
    if (version !== this.#version) {
      this.index.forgetRecords();
      this.#read.clear();
    }
    const segments = (await this.#files.segments()).filter(
      ({ path }) =>
        this.#read.get(path) !== Number.POSITIVE_INFINITY &&
        (path !== this.#ownPath || version !== this.#version),
    );
    // Whoever is gone by now, after its segment was seen, adds nothing to what is read next.
    const isGone = segments.length === 0 ? () => false : await look();
    for (const { path, owner } of segments) {
      fulfilled += await this.#readSegment(path);
      if (path !== this.#ownPath && isGone(owner)) this.#read.set(path, Number.POSITIVE_INFINITY);
    }
    if (version !== this.#version) {
      this.#version = version;
      if (version !== undefined) fulfilled += await this.#readFinished();
    }
    if ((await versionOf(this.#files.path)) === version) return fulfilled;
    // Put in place meanwhile: segments that were gone already are in it alone. Begin again.
    return fulfilled + (await this.refresh(look));
  }

  /** Who has a segment. */
  async owners(): Promise<ReadonlySet<string>> {
    return new Set((await this.#files.segments()).map(({ owner }) => owner));
  }

  /**
   * Rewrites the step's file in the order of the plan, so that the same run gives the same bytes,
   * and seals it, then removes the segments that are thereby superfluous: this process's own, and those of whom
   * `isGone` says that they no longer work. Killed at any moment it leaves records twice at most,
   * which readers take for one. Only for whoever alone may put the step in order.
   *
   * Records that the plan does not have are handed to `setAside` and left out; where others are at
   * work, whose plan may have them, they are kept behind the rest. What a killed process left of its
   * last line is handed over, too: its task was asked again.
   */
  async compact({
    setAside,
    isGone,
    isAlone,
  }: {
    readonly setAside: (entry: SetAside) => Promise<void>;
    readonly isGone: (owner: string) => boolean;
    readonly isAlone: boolean;
  }): Promise<void> {
    await this.close();
    const superfluous = (await this.#files.segments()).filter(
      ({ owner }) => owner === this.#owner || isGone(owner),
    );
    await this.refresh(async () => isGone);
    if (!this.#isCompacted({ isAlone })) {
      const lines = new LineReader();
      try {
        if (isAlone) {
          for (const place of this.index.unplanned()) {
            await setAside({ kind: "unplanned", record: JSON.parse(await lines.read(place)) });
          }
        }
        await this.#seals.write(this.#files.name, this.#inOrder(lines, { isAlone }), {
          owner: this.#owner,
        });
      } finally {
        await lines.close();
      }
    }
    for (const { path } of superfluous) {
      const torn = this.#torn.get(path);
      if (torn !== undefined) await setAside({ kind: "torn", text: torn });
      await rm(path, { force: true });
    }
    this.#ownPath = undefined;
    await this.#countOnce(setAside);
  }

  /** Ends this process's segment, which stays for whoever puts the step in order. */
  async close(): Promise<void> {
    const segment = await this.#segment;
    this.#segment = undefined;
    if (segment === undefined) return;
    await segment.close();
  }

  async #begin(): Promise<Segment> {
    const path = this.#files.segmentOf(this.#owner);
    const segment = await Segment.begin(path);
    if (segment === undefined) throw new Error(`Expected to begin ${path} but it exists`);
    this.#ownPath = path;
    return segment;
  }

  async #readFinished(): Promise<number> {
    let fulfilled = 0;
    for await (const { record, place } of readRecords(this.#files.path)) {
      if (this.index.take(record, place, { instead: true })) fulfilled++;
    }
    return fulfilled;
  }

  async #readSegment(path: string): Promise<number> {
    let fulfilled = 0;
    let from = this.#read.get(path) ?? 0;
    this.#torn.delete(path);
    const onTorn = (text: string) => void this.#torn.set(path, text);
    try {
      for await (const { record, place } of readRecords(path, {
        tolerateTornTail: true,
        from,
        onTorn,
      })) {
        if (this.index.take(record, place)) fulfilled++;
        from = place.offset + place.length + 1;
      }
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    this.#read.set(path, from);
    return fulfilled;
  }

  /** Whether the file holds what it should already, in order and with nothing between. */
  #isCompacted({ isAlone }: { isAlone: boolean }): boolean {
    let end = 0;
    const follows = ({ part, offset, length }: RecordPosition) => {
      const isNext = part === this.#files.path && offset === end;
      end += length + 1;
      return isNext;
    };
    for (const { place } of this.index.inOrder()) if (!follows(place)) return false;
    for (const place of this.index.unplanned()) if (isAlone || !follows(place)) return false;
    return true;
  }

  async *#inOrder(lines: LineReader, { isAlone }: { isAlone: boolean }): AsyncGenerator<string> {
    for (const { place } of this.index.inOrder()) yield `${await lines.read(place)}\n`;
    if (isAlone) return;
    for (const place of this.index.unplanned()) yield `${await lines.read(place)}\n`;
  }

  /**
   * Keeps what was tried again as tried once, so that a run gives the same bytes whatever failed on
   * its way. Not while a segment is left: an earlier attempt in it would count for more.
   */
  async #countOnce(setAside: (entry: SetAside) => Promise<void>): Promise<void> {
    if (!this.#isTriedAgain() || (await this.#files.segments()).length > 0) return;
    await this.refresh();
    const lines = new LineReader();
    const once = async function* (index: RecordIndex) {
      for (const { standing, place } of index.inOrder()) {
        const line = await lines.read(place);
        const { text, tried } = standing.attempt === 1 ? { text: line } : onceTried(line);
        if (tried !== undefined) await setAside(tried);
        yield `${text}\n`;
      }
      for (const place of index.unplanned()) yield `${await lines.read(place)}\n`;
    };
    try {
      await this.#seals.write(this.#files.name, once(this.index), { owner: this.#owner });
    } finally {
      await lines.close();
    }
  }

  #isTriedAgain(): boolean {
    for (const { standing } of this.index.inOrder()) if (standing.attempt > 1) return true;
    return false;
  }
}

/** Changes whenever a file is replaced; `undefined` where there is none. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw fileError(error, "read", path);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && systemCode(error.cause) === "ENOENT";

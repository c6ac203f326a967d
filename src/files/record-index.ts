import type { Key } from "../core/keys.js";
import type { RecordPosition } from "../core/record-store.js";
import type { AnyRecord } from "../core/records.js";
import { type UnscoredReason, unscoredReasons } from "../core/unscored.js";

/** State of a key, known without reading its record again. */
export interface Standing {
  readonly attempt: number;
  readonly status: "done" | "unscored";
  readonly reason: UnscoredReason | undefined;
  readonly retryable: boolean;
}

/** An entry is eight words: the key, where its record's line is, and how it stands. */
const words = 8;
const offsetWord = 4;
const fileWord = 5;
const lengthWord = 6;
const standingWord = 7;

const chunkEntries = 4096;
const mostParts = 2 ** 16;

/** Bits of the last word, below the attempt: 0 attempts is a key that has no record. */
const doneBit = 1;
const retryableBit = 2;
const plannedBit = 4;
const wantedBit = 8;
const reasonShift = 4;
const attemptShift = 8;

type Done = Extract<AnyRecord, { status: "done" }>;
type Unscored = Extract<AnyRecord, { status: "unscored" }>;

/** Members of a record that the index looks at. */
export type Attempted =
  | Pick<Done, "key" | "attempt" | "status">
  | Pick<Unscored, "key" | "attempt" | "status" | "reason" | "retryable">;

/**
 * The records of one step by key, and the order in which they were planned. All of it is numbers
 * in typed arrays, at most 64 bytes for each key, so that a run of any size is gone over in little
 * memory; the records themselves stay on the disk.
 */
export class RecordIndex {
  readonly #chunks: Uint32Array[] = [];
  readonly #parts: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #words = new KeyWords();
  /** The key that was last asked for, and its entry: a record is met by several questions in a row. */
  #lastKey: Key | undefined;
  #lastId = 0;
  #slots = new Uint32Array(1024);
  #order = new Uint32Array(256);
  #size = 0;
  #planned = 0;
  #recorded = 0;
  #wanted = 0;

  /** Keys with a record. */
  get recorded(): number {
    return this.#recorded;
  }

  /** Keys in the plan. */
  get planned(): number {
    return this.#planned;
  }

  /** Planned keys that are to be asked. */
  get wanted(): number {
    return this.#wanted;
  }

  /** Memory in use for keys, in bytes. */
  get byteLength(): number {
    const chunks = this.#chunks.length * chunkEntries * words * 4;
    return chunks + this.#slots.byteLength + this.#order.byteLength;
  }

  /**
   * Notes a record where it is newer than what is known of its key: a later attempt, or of two
   * equal attempts the one with an answer. With `instead` an equal one is noted, too, with `always`
   * any. Returns whether its key was wanted until now.
   */
  take(
    record: Attempted,
    place: RecordPosition,
    { instead = false, always = false } = {},
  ): boolean {
    const id = this.#ensure(record.key);
    const [chunk, at] = this.#entry(id);
    const before = chunk[at + standingWord] ?? 0;
    const attempt = before >>> attemptShift;
    const isDone = record.status === "done";
    const isNewer =
      record.attempt > attempt ||
      (record.attempt === attempt && isDone && (before & doneBit) === 0);
    const isEqual = record.attempt === attempt && isDone === ((before & doneBit) !== 0);
    if (!isNewer && !(instead && isEqual) && !always) return false;
    if (attempt === 0) this.#recorded++;
    const reason = isDone ? 0 : unscoredReasons.indexOf(record.reason);
    let flags = before & (plannedBit | wantedBit);
    const wasWanted = isNewer && (flags & wantedBit) !== 0;
    if (wasWanted) {
      flags &= ~wantedBit;
      this.#wanted--;
    }
    if (isDone) flags |= doneBit;
    else if (record.retryable) flags |= retryableBit;
    chunk[at + standingWord] = (record.attempt << attemptShift) | (reason << reasonShift) | flags;
    chunk[at + offsetWord] = place.offset % 2 ** 32;
    chunk[at + fileWord] =
      this.#partNumber(place.part) * 2 ** 16 + Math.floor(place.offset / 2 ** 32);
    chunk[at + lengthWord] = place.length;
    return wasWanted;
  }

  /** How a key stands; `undefined` where it has no record. */
  get(key: Key): Standing | undefined {
    const id = this.#find(key);
    return id === undefined ? undefined : this.#standing(id);
  }

  /**
   * Puts a key at the end of the plan. It is wanted if it has no record, or one that is retryable,
   * until `take` is given a newer one. Returns false for a key that is planned already.
   */
  plan(key: Key): boolean {
    const id = this.#ensure(key);
    const [chunk, at] = this.#entry(id);
    const flags = chunk[at + standingWord] ?? 0;
    if ((flags & plannedBit) !== 0) return false;
    const isWanted = flags >>> attemptShift === 0 || (flags & retryableBit) !== 0;
    chunk[at + standingWord] = flags | plannedBit | (isWanted ? wantedBit : 0);
    if (isWanted) this.#wanted++;
    if (this.#planned === this.#order.length) {
      const longer = new Uint32Array(this.#order.length * 2);
      longer.set(this.#order);
      this.#order = longer;
    }
    this.#order[this.#planned++] = id;
    return true;
  }

  isWanted(key: Key): boolean {
    const id = this.#find(key);
    if (id === undefined) return false;
    const [chunk, at] = this.#entry(id);
    return ((chunk[at + standingWord] ?? 0) & wantedBit) !== 0;
  }

  /** The planned keys that have a record, in the order of the plan. */
  *inOrder(): Generator<{ readonly standing: Standing; readonly place: RecordPosition }> {
    for (let position = 0; position < this.#planned; position++) {
      const id = this.#order[position] ?? 0;
      const standing = this.#standing(id);
      if (standing !== undefined) yield { standing, place: this.#place(id) };
    }
  }

  /** The places of records whose keys are not in the plan. */
  *unplanned(): Generator<RecordPosition> {
    for (let id = 0; id < this.#size; id++) {
      const [chunk, at] = this.#entry(id);
      const flags = chunk[at + standingWord] ?? 0;
      if ((flags & plannedBit) === 0 && flags >>> attemptShift > 0) yield this.#place(id);
    }
  }

  /** Where the record that counts under this key is. */
  place(key: Key): RecordPosition | undefined {
    const id = this.#find(key);
    return id === undefined || this.#standing(id) === undefined ? undefined : this.#place(id);
  }

  /** Forgets the record of a key, so that it is wanted when it is planned. */
  forget(key: Key): void {
    const id = this.#find(key);
    if (id === undefined || this.#standing(id) === undefined) return;
    const [chunk, at] = this.#entry(id);
    chunk[at + standingWord] = (chunk[at + standingWord] ?? 0) & (plannedBit | wantedBit);
    this.#recorded--;
  }

  /** Forgets all records, and nothing of the plan: their files are to be read anew. */
  forgetRecords(): void {
    for (let id = 0; id < this.#size; id++) {
      const [chunk, at] = this.#entry(id);
      chunk[at + standingWord] = (chunk[at + standingWord] ?? 0) & (plannedBit | wantedBit);
    }
    this.#recorded = 0;
  }

  #standing(id: number): Standing | undefined {
    const [chunk, at] = this.#entry(id);
    const word = chunk[at + standingWord] ?? 0;
    const attempt = word >>> attemptShift;
    if (attempt === 0) return undefined;
    const isDone = (word & doneBit) !== 0;
    return {
      attempt,
      status: isDone ? "done" : "unscored",
      reason: isDone ? undefined : unscoredReasons[(word >>> reasonShift) & 15],
      retryable: (word & retryableBit) !== 0,
    };
  }

  #place(id: number): RecordPosition {
    const [chunk, at] = this.#entry(id);
    const file = chunk[at + fileWord] ?? 0;
    return {
      part: this.#parts[file >>> 16] ?? "",
      offset: (file & 0xffff) * 2 ** 32 + (chunk[at + offsetWord] ?? 0),
      length: chunk[at + lengthWord] ?? 0,
    };
  }

  #partNumber(part: string): number {
    const known = this.#numbers.get(part);
    if (known !== undefined) return known;
    const number = this.#parts.push(part) - 1;
    if (number >= mostParts) throw new RangeError(`Expected at most ${mostParts} parts of a step`);
    this.#numbers.set(part, number);
    return number;
  }

  #entry(id: number): [chunk: Uint32Array, at: number] {
    const chunk = this.#chunks[Math.floor(id / chunkEntries)];
    if (chunk === undefined) throw new RangeError(`Expected an entry but received ${id}`);
    return [chunk, (id % chunkEntries) * words];
  }

  #find(key: Key): number | undefined {
    if (key === this.#lastKey) return this.#lastId;
    const id = this.#slots[this.#slotOf(this.#words.of(key))];
    return id === undefined || id === 0 ? undefined : this.#last(key, id - 1);
  }

  #last(key: Key, id: number): number {
    this.#lastKey = key;
    this.#lastId = id;
    return id;
  }

  #ensure(key: Key): number {
    if (key === this.#lastKey) return this.#lastId;
    const wanted = this.#words.of(key);
    let slot = this.#slotOf(wanted);
    const found = this.#slots[slot] ?? 0;
    if (found > 0) return this.#last(key, found - 1);
    if (4 * (this.#size + 1) > 3 * this.#slots.length) {
      this.#grow();
      slot = this.#slotOf(wanted);
    }
    const id = this.#size++;
    if (id % chunkEntries === 0) this.#chunks.push(new Uint32Array(chunkEntries * words));
    const [chunk, at] = this.#entry(id);
    chunk.set(wanted, at);
    this.#slots[slot] = id + 1;
    return this.#last(key, id);
  }

  /** The slot of a key, or the free one where it belongs. Keys are hashes: any word spreads them. */
  #slotOf(wanted: Uint32Array): number {
    const mask = this.#slots.length - 1;
    const [first = 0, second, third, fourth] = wanted;
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] ?? 0;
      if (id === 0) return slot;
      const [chunk, at] = this.#entry(id - 1);
      const isSame =
        chunk[at] === first &&
        chunk[at + 1] === second &&
        chunk[at + 2] === third &&
        chunk[at + 3] === fourth;
      if (isSame) return slot;
    }
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let id = 0; id < this.#size; id++) {
      const [chunk, at] = this.#entry(id);
      this.#slots[this.#slotOf(chunk.subarray(at, at + 4))] = id + 1;
    }
  }
}

/** The 128 bits of a key. Asked for again and again of one key, they are read from it once. */
class KeyWords {
  readonly words = new Uint32Array(4);
  #key: Key | undefined;

  of(key: Key): Uint32Array {
    if (key === this.#key) return this.words;
    for (let word = 0; word < 4; word++) {
      this.words[word] = Number.parseInt(key.slice(8 * word, 8 * word + 8), 16);
    }
    this.#key = key;
    return this.words;
  }
}

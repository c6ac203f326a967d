import { appendFileSync, closeSync, fsync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { RecordPosition } from "../../core/record-store.js";
import { fileError, systemCode } from "../file-error.js";
import { makeFolder, namesIn } from "../make-folder.js";

/**
 * A JSONL file that one process appends to and nobody else. A process that is killed leaves at
 * most its last line torn. Lines are written in the order of the calls, at once and into the operating system's
 * memory: to hand so little to another thread and to hear of it takes three times as long.
 */
export class Segment {
  readonly path: string;
  readonly #file: number;
  #size = 0;
  #failure: unknown;
  #closing: Promise<void> | undefined;

  private constructor(path: string, file: number) {
    this.path = path;
    this.#file = file;
  }

  /** Opens `segment-1.jsonl`, or the first number that is free: no two processes share one. */
  static async create(directory: string): Promise<Segment> {
    for (let number = 1; ; number++) {
      const segment = await Segment.begin(segmentPath(directory, number));
      if (segment !== undefined) return segment;
    }
  }

  /** Begins a segment in a file that does not exist yet; `undefined` where one does. */
  static async begin(path: string): Promise<Segment | undefined> {
    try {
      await makeFolder(dirname(path), path);
      return new Segment(path, openSync(path, "ax"));
    } catch (error) {
      if (systemCode(error) === "EEXIST") return undefined;
      throw fileError(error, "write", path);
    }
  }

  /**
   * Returns the lines' places when the operating system has them. `texts` have no line end. After a failure
   * nothing more is written: a torn line may only ever be the last.
   */
  append(texts: readonly string[]): readonly RecordPosition[] {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      appendFileSync(this.#file, `${texts.join("\n")}\n`);
    } catch (error) {
      this.#failure = fileError(error, "write", this.path);
      throw this.#failure;
    }
    return texts.map((text) => {
      const length = Buffer.byteLength(text);
      const place = { part: this.path, offset: this.#size, length };
      this.#size += length + 1;
      return place;
    });
  }

  /** Brings all to the disk itself, and ends the segment, once: its descriptor may be another file's afterwards. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure;
      await toDisk(this.#file);
    } catch (error) {
      throw fileError(error, "write", this.path);
    } finally {
      closeSync(this.#file);
    }
  }
}

const toDisk = promisify(fsync);

/** The paths of all segments in a folder, in the order in which they were begun. */
export async function segmentsIn(directory: string): Promise<string[]> {
  const numbers = (await namesIn(directory)).flatMap((name) => {
    const [, number] = /^segment-(\d+)\.jsonl$/.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers.sort((a, b) => a - b).map((number) => segmentPath(directory, number));
}

const segmentPath = (directory: string, number: number): string =>
  join(directory, `segment-${number}.jsonl`);

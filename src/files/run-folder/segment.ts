import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RecordPosition } from "../../core/record-store.js";
import { fileError, systemCode } from "../file-error.js";
import { makeFolder, namesIn } from "../make-folder.js";

/**
 * A JSONL file that one process appends to and nobody else. A process that is killed leaves at
 * most its last line torn. Lines are written in the order of the calls; those that wait while one
 * is written go out together.
 */
export class Segment {
  readonly path: string;
  readonly #file: FileHandle;
  #size = 0;
  #waiting: string[] = [];
  /** The writing of what waits; whoever waits shares it. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #failure: unknown;

  private constructor(path: string, file: FileHandle) {
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
      return new Segment(path, await open(path, "ax"));
    } catch (error) {
      if (systemCode(error) === "EEXIST") return undefined;
      throw fileError(error, "write", path);
    }
  }

  /** Resolves with the lines' places when the operating system has them. `texts` have no line end. */
  async append(texts: readonly string[]): Promise<readonly RecordPosition[]> {
    const places = texts.map((text) => {
      const length = Buffer.byteLength(text);
      const place = { part: this.path, offset: this.#size, length };
      this.#size += length + 1;
      this.#waiting.push(text);
      return place;
    });
    this.#next ??= this.#writeNext();
    await this.#next;
    return places;
  }

  /** Writes what waits, to the disk itself, and ends the segment. */
  async close(): Promise<void> {
    try {
      await this.#next;
      await this.#last;
      if (this.#failure !== undefined) throw this.#failure;
      await this.#file.sync();
    } catch (error) {
      throw fileError(error, "write", this.path);
    } finally {
      await this.#file.close();
    }
  }

  async #writeNext(): Promise<void> {
    await this.#last;
    const text = `${this.#waiting.join("\n")}\n`;
    this.#waiting = [];
    this.#next = undefined;
    this.#last = this.#write(text);
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** After a failure nothing more is written: a torn line may only ever be the last. */
  async #write(text: string): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.#file.appendFile(text);
    } catch (error) {
      this.#failure = fileError(error, "write", this.path);
    }
  }
}

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

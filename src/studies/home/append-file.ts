import { type FileHandle, open } from "node:fs/promises";
import { fileError } from "../../files/file-error.js";

/**
 * Appends lines to one file, each on the disk itself before its call resolves. Lines that wait while
 * others are written go out together. What a killed process left torn at the end is cut off first.
 * The file is open only while it is written, so nobody needs to close it.
 */
export class AppendFile {
  readonly path: string;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * @param line one line without its end
   * @param options.mustLast whether it must be on the disk itself; else the operating system may hold
   *   it: it outlives a kill of the process, not a power cut
   * @throws InputError or TouchstoneError where the disk does not take it; then it is not acknowledged.
   */
  append(line: string, { mustLast = true }: { mustLast?: boolean } = {}): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ text: `${line}\n`, mustLast, done, failed });
      this.#writing ??= this.#drain();
    });
  }

  /** Resolves when nothing waits to be written. */
  async written(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #drain(): Promise<void> {
    // Whoever appends in this very turn goes out with the first.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(lines);
        for (const { done } of lines) done();
      } catch (error) {
        for (const { failed } of lines) failed(fileError(error, "write", this.path));
      }
    }
    this.#writing = undefined;
  }

  async #write(lines: readonly Waiting[]): Promise<void> {
    const file = await openWhole(this.path);
    try {
      await file.appendFile(lines.map(({ text }) => text).join(""));
      if (lines.some(({ mustLast }) => mustLast)) await file.datasync();
    } finally {
      await file.close();
    }
  }
}

interface Waiting {
  readonly text: string;
  readonly mustLast: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Opens a file to append to, without the part of a line that a killed writer left at its end; the caller closes it. */
async function openWhole(path: string): Promise<FileHandle> {
  const file = await open(path, "a+", 0o600);
  try {
    const { size } = await file.stat();
    const end = await endOfLastLine(file, size);
    if (end < size) await file.truncate(end);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The number of bytes up to and with the last line end. */
async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  // Most files are whole: their last byte tells.
  for (let end = size, length = 1; end > 0; length = 65_536) {
    const start = Math.max(0, end - length);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), { position: start });
    const found = buffer.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}

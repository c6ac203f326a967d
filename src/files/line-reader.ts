import { type FileHandle, open } from "node:fs/promises";
import { fileError } from "./file-error.js";
import type { Place } from "./segment.js";

/** Reads single lines by their place. Holds its files open until `close`. */
export class LineReader {
  readonly #files = new Map<string, FileHandle>();

  async read({ path, offset, length }: Place): Promise<string> {
    try {
      let file = this.#files.get(path);
      if (file === undefined) {
        file = await open(path);
        this.#files.set(path, file);
      }
      const bytes = Buffer.alloc(length);
      await file.read(bytes, 0, length, offset);
      return bytes.toString("utf8");
    } catch (error) {
      throw fileError(error, "read", path);
    }
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await file.close();
    this.#files.clear();
  }
}

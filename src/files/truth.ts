import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../core/errors.js";
import { canonicalJson, type Json } from "../core/json.js";
import type { Hash } from "../core/keys.js";
import { writeFileAtomically } from "./atomic.js";
import { fileError, systemCode } from "./file-error.js";

/** What a generator says is really in its pictures, in files such as `truth/ab/abcd….json`. */
export class TruthFolder {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async write(image: Hash, truth: Json): Promise<void> {
    await writeFileAtomically(this.#pathOf(image), `${canonicalJson(truth)}\n`);
  }

  /** `undefined` where nothing is known of the image. */
  async read(image: Hash): Promise<Json | undefined> {
    const path = this.#pathOf(image);
    try {
      return JSON.parse(await readFile(path, "utf8")) as Json;
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      if (error instanceof SyntaxError) {
        throw new InputError(
          `Expected JSON for what is in an image but received other text (in ${path})`,
          {
            hint: "The file was changed or damaged since it was written.",
            cause: error,
          },
        );
      }
      throw fileError(error, "read", path);
    }
  }

  #pathOf(image: Hash): string {
    return join(this.directory, image.slice(0, 2), `${image}.json`);
  }
}

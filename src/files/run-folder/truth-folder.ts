import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { canonicalJson, type Json } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import type { TruthStore } from "../../core/record-store.js";
import { writeFileAtomically } from "../atomic.js";
import { fileError, systemCode } from "../file-error.js";
import { namesIn } from "../make-folder.js";

/**
 * True contents of pictures, as their generator says, by the key of the image's record, in files such
 * as `truth/ab/abcd….json`. Two records may have the same pixels and yet other truths: what was
 * wanted of them differs.
 */
export class TruthFolder implements TruthStore {
  readonly directory: string;
  readonly #owner: string | undefined;

  /** @param owner who writes; see `writeFileAtomically` */
  constructor(directory: string, { owner }: { owner?: string } = {}) {
    this.directory = directory;
    this.#owner = owner;
  }

  async write(image: Key, truth: Json): Promise<void> {
    const owner = this.#owner;
    await writeFileAtomically(
      this.#pathOf(image),
      `${canonicalJson(truth)}\n`,
      owner === undefined ? {} : { owner },
    );
  }

  async read(image: Key): Promise<Json | undefined> {
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

  async isEmpty(): Promise<boolean> {
    return (await namesIn(this.directory)).length === 0;
  }

  async problemOf(image: Key): Promise<string | undefined> {
    try {
      if ((await this.read(image)) !== undefined) return undefined;
      return `Expected a truth in ${this.directory} but it is not there`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #pathOf(image: Key): string {
    return join(this.directory, image.slice(0, 2), `${image}.json`);
  }
}

import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { sha256 } from "../../files/blobs/blob-address.js";
import { failed } from "../../files/file-error.js";
import { mostImageBytes, readRegularFile } from "../../files/regular-file.js";

/** A study's images as browsers receive them: WebP files by the SHA-256 of their bytes. */
export class StudyImages {
  readonly #directory: string;

  /** @param directory of the study */
  constructor(directory: string) {
    this.#directory = join(directory, "images");
  }

  async write(bytes: Uint8Array): Promise<Hash> {
    const hash = sha256(bytes);
    await writeFileAtomically(this.#pathOf(hash), bytes);
    return hash;
  }

  /** @throws InputError where it is gone or damaged. */
  async read(hash: Hash): Promise<Uint8Array> {
    const path = this.#pathOf(hash);
    const bytes = await readRegularFile(path, { mostBytes: mostImageBytes }).catch(
      failed("read", path),
    );
    if (sha256(bytes) === hash) return bytes;
    throw new InputError(`Expected the image ${hash} in ${path} but it was changed`, {
      hint: "Copy the study folder anew, or create the study again.",
    });
  }

  #pathOf(hash: Hash): string {
    return join(this.#directory, hash.slice(0, 2), `${hash}.webp`);
  }
}

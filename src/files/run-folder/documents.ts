import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentStore } from "../../core/record-store.js";
import { writeFileAtomically } from "../atomic.js";
import { absent } from "../file-error.js";

/** Documents as files in a folder, such as that of a run: `report.html` beside its recipe. */
export class DocumentFolder implements DocumentStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async has(name: string): Promise<boolean> {
    return access(this.addressOf(name)).then(
      () => true,
      () => false,
    );
  }

  async read(name: string): Promise<string | undefined> {
    const path = this.addressOf(name);
    return readFile(path, "utf8").catch(absent(path));
  }

  async write(name: string, text: string): Promise<void> {
    await writeFileAtomically(this.addressOf(name), text);
  }

  addressOf(name: string): string {
    return join(this.#directory, name);
  }
}

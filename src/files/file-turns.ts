import { WorkFolder, type Workplace } from "./run-folder/run-work.js";

/**
 * Turns at files that several processes read, change and write back: while one is at work, no other
 * that asks for its turn by the same folder is. What a killed process held counts for nothing.
 */
export class FileTurns {
  readonly #folder: WorkFolder;
  #place: Promise<Workplace> | undefined;

  /** @param directory a folder for this alone; made when first needed */
  constructor(directory: string) {
    this.#folder = new WorkFolder(directory);
  }

  /** @throws InputError where another has kept its turn for a minute, or the folder can't be written. */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#place ??= this.#enter().catch((error: unknown) => {
      this.#place = undefined;
      throw error;
    });
    return (await this.#place).inTurn(work);
  }

  /** Takes this process' files out of the folder. */
  async close(): Promise<void> {
    const place = this.#place;
    this.#place = undefined;
    await (await place)?.leave();
  }

  async #enter(): Promise<Workplace> {
    const { gone } = await this.#folder.look();
    await this.#folder.clear(gone);
    return this.#folder.enter();
  }
}

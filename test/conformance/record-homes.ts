import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hash } from "../../src/core/keys.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

/** A kind of place where runs live, and what can befall it. */
export interface Home {
  readonly name: string;
  /** A place where no run stands yet, as `openStore` takes it. */
  newPlace(): Promise<string>;
  /** Cuts the last record that a killed worker appended to a step, as a power cut may. */
  tear(place: string, step: string): Promise<void>;
  /** Changes the bytes that are kept under a hash. */
  damage(place: string, hash: Hash): Promise<void>;
  /** Changes something in a finished step's records by hand. */
  edit(place: string, step: string): Promise<void>;
}

const folder: Home = {
  name: "folder",
  newPlace: async () => join(await temporaryDirectory(), "run"),
  async tear(place, step) {
    const path = await fileOf(join(place, "records"), (name) => isSegment(name, step));
    const bytes = await readFile(path);
    const before = bytes.lastIndexOf(0x0a, bytes.length - 2);
    await truncate(path, Math.ceil((before + bytes.length) / 2));
  },
  async damage(place, hash) {
    const path = await fileOf(join(place, "blobs", hash.slice(0, 2)), (name) =>
      name.startsWith(hash),
    );
    await appendFile(path, "!");
  },
  async edit(place, step) {
    const path = await fileOf(join(place, "records"), (name) => name.endsWith(`-${step}.jsonl`));
    await writeFile(path, (await readFile(path, "utf8")).replace('"value":0.5', '"value":0.6'));
  },
};

const isSegment = (name: string, step: string) =>
  new RegExp(`^\\d+-${step}\\.[0-9a-z]+\\.jsonl$`).test(name);

async function fileOf(directory: string, isIt: (name: string) => boolean): Promise<string> {
  const names = (await readdir(directory)).filter(isIt);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw new Error(`Expected one file in ${directory} but found ${names.join(", ") || "none"}`);
  }
  return join(directory, name);
}

/** Every home of runs; another one is one more line. */
export const homes: readonly Home[] = [folder];

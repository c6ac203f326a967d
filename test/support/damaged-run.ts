import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hash } from "../../src/core/keys.js";

/** Cuts the last record that a killed process appended to a step of a run folder, as a power cut may. */
export async function tear(run: string, step: string): Promise<void> {
  const path = await fileOf(join(run, "records"), (name) => isSegment(name, step));
  const bytes = await readFile(path);
  const before = bytes.lastIndexOf(0x0a, bytes.length - 2);
  await truncate(path, Math.ceil((before + bytes.length) / 2));
}

/** Changes the bytes that are kept under a hash in a folder of images. */
export async function damage(blobs: string, hash: Hash): Promise<void> {
  const path = await fileOf(join(blobs, hash.slice(0, 2)), (name) => name.startsWith(hash));
  await appendFile(path, "!");
}

/** Changes a value in a finished step's records by hand. */
export async function edit(run: string, step: string): Promise<void> {
  const path = await fileOf(join(run, "records"), (name) => name.endsWith(`-${step}.jsonl`));
  await writeFile(path, (await readFile(path, "utf8")).replace('"value":0.5', '"value":0.6'));
}

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

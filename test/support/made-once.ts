import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

const made = new Map<string, Promise<ReadonlyMap<string, Uint8Array>>>();

/**
 * Makes a folder of small files once for all tests of a worker; whoever wants another gets a copy.
 *
 * @param name what it is made by, its options included.
 */
export async function madeOnce(
  name: string,
  directory: string,
  make: (directory: string) => Promise<void>,
): Promise<void> {
  const known = made.get(name);
  if (known === undefined) {
    const making = make(directory).then(() => filesOf(directory));
    made.set(name, making);
    await making;
    return;
  }
  for (const [path, bytes] of await known) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}

async function filesOf(directory: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(directory, path), await readFile(path));
  }
  return files;
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Everything in a folder as one text, names of files included. */
export async function bytesIn(directory: string): Promise<string> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map(
      async (file) => `${file.name}\n${await readFile(join(file.parentPath, file.name), "latin1")}`,
    );
  return (await Promise.all(texts)).join("\n");
}

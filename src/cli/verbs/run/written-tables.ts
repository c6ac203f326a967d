import { join } from "node:path";
import type { BenchmarkTables } from "../../../benchmarks/benchmark.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { makeFolder } from "../../../files/make-folder.js";

/** Writes the tables of a run into `directory`, and gives their paths. */
export async function writeTables(
  { files }: BenchmarkTables,
  directory: string,
): Promise<readonly string[]> {
  await makeFolder(directory);
  const paths: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    await writeFileAtomically(path, text);
    paths.push(path);
  }
  return paths;
}

import { readdir } from "node:fs/promises";
import { fileError, systemCode } from "./file-error.js";

/** The names in a folder, in code-unit order; none where there is no such folder. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw fileError(error, "read", directory);
  }
}

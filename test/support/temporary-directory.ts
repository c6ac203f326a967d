import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder that goes when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "touchstone-"));
  // A process that was just killed may still write into it.
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 9 }));
  return directory;
}

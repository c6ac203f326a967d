import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A step as a recipe names it, with its records. */
interface WrittenStep {
  readonly name: string;
  readonly part?: string | undefined;
  readonly produces: string;
  readonly records: Iterable<object>;
}

/** Writes a finished run of version 0.2.0 line by line, without the files of its images. */
export async function writeRun(
  directory: string,
  { command, steps }: { readonly command: string; readonly steps: readonly WrittenStep[] },
): Promise<void> {
  await mkdir(join(directory, "records"), { recursive: true });
  for (const [at, { name, part, records }] of steps.entries()) {
    const parts = [String(at + 1).padStart(2, "0"), name, ...(part === undefined ? [] : [part])];
    const lines = function* () {
      for (const record of records) yield `${JSON.stringify(record)}\n`;
    };
    const file = createWriteStream(join(directory, "records", `${parts.join("-")}.jsonl`));
    await pipeline(Readable.from(lines()), file);
  }
  const recipe = {
    schema: 1,
    software: ["touchstone-t2i 0.2.0"],
    commands: [command],
    seed: 7,
    sources: [],
    models: ["test:squares"],
    steps: steps.map(({ records, ...step }) => ({ ...step, version: 1, parameters: {} })),
  };
  await writeFile(join(directory, "run.json"), JSON.stringify(recipe));
}

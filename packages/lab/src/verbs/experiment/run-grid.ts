import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { hashOf } from "touchstone-t2i/internal/core/keys.js";
import { writeFileAtomically } from "touchstone-t2i/internal/files/atomic.js";
import { absent } from "touchstone-t2i/internal/files/file-error.js";
import { namesIn } from "touchstone-t2i/internal/files/make-folder.js";
import type { ExperimentAnswers } from "../../experiments/ensemble/answers.js";
import type { GridChunk, GridDesign } from "../../experiments/ensemble/grid.js";
import { packageFile } from "../../package-file.js";
import type { GridWorkerData } from "./grid-worker.js";

/** Workers run compiled code, also when the rest is run from its sources by a test. */
const workerFile = packageFile("dist/verbs/experiment/grid-worker.js");

/**
 * Does chunks of a grid in several workers. What comes out is the same at any number of them: a chunk
 * depends on nothing but the answers and the design. A worker keeps to one clustering while it has
 * chunks left.
 *
 * @param keep is told of each chunk when it is done, in any order.
 */
export async function runGrid({
  answers,
  design,
  chunks,
  workers,
  keep,
  signal,
}: {
  readonly answers: ExperimentAnswers;
  readonly design: GridDesign;
  readonly chunks: readonly GridChunk[];
  readonly workers: number;
  keep(chunk: GridChunk, results: Float64Array): Promise<void>;
  readonly signal: AbortSignal;
}): Promise<void> {
  const queue = byClustering(chunks);
  const workerData: GridWorkerData = { answers, design };
  const one = async () => {
    if (queue.length === 0) return;
    const worker = new Worker(workerFile, { workerData });
    try {
      for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
        for (const chunk of group) {
          worker.postMessage(chunk);
          const [results] = await once(worker, "message", { signal });
          await keep(chunk, results);
        }
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: workers }, one));
}

function byClustering(chunks: readonly GridChunk[]): GridChunk[][] {
  const groups = new Map<string, GridChunk[]>();
  for (const chunk of chunks) {
    const name = `${chunk.clusters} ${chunk.cluster}`;
    groups.set(name, [...(groups.get(name) ?? []), chunk]);
  }
  return [...groups.values()];
}

/** Version of what is measured, and how: results of another one are not gone on with. */
const version = 1;

/** A folder that keeps the results of an experiment, chunk by chunk, so that it can be gone on with. */
export interface GridFolder {
  /** Those that are there. */
  readonly results: Map<string, Float64Array>;
  keep(key: string, results: Float64Array): Promise<void>;
}

/**
 * Opens or begins the folder of a grid: `experiment.json` says of which design and which answers it
 * is, `results/KEY.f64` holds the 64-bit numbers of one chunk. A file is there whole or not at all.
 *
 * @param lengths how many numbers each chunk has, by key; a file of another length is done again.
 * @throws InputError where the folder is of another experiment.
 */
export async function openGridFolder(
  directory: string | undefined,
  {
    design,
    answers,
    lengths,
  }: {
    readonly design: GridDesign;
    readonly answers: ExperimentAnswers;
    readonly lengths: ReadonlyMap<string, number>;
  },
): Promise<GridFolder> {
  const results = new Map<string, Float64Array>();
  if (directory === undefined) {
    return {
      results,
      async keep(key, values) {
        results.set(key, values);
      },
    };
  }
  const about = `${JSON.stringify({ version, design, answers: answersHash(answers) }, null, 2)}\n`;
  const aboutFile = join(directory, "experiment.json");
  const there = await readFile(aboutFile, "utf8").catch(absent(aboutFile));
  if (there === undefined) {
    const others = await namesIn(directory);
    if (others.length > 0) {
      throw new InputError(
        `Expected an empty folder or an experiment's for --run but ${directory} is neither`,
        {
          hint: "Name a folder that does not exist yet.",
        },
      );
    }
    await writeFileAtomically(aboutFile, about);
  } else if (there !== about) {
    throw new InputError(
      `Expected the folder of this experiment for --run but ${directory} is of another`,
      {
        hint: "Its experiment.json has another table, design or version. Name another folder.",
      },
    );
  }
  for (const [key, length] of lengths) {
    const path = join(directory, "results", `${key}.f64`);
    const bytes = await readFile(path).catch(absent(path));
    if (bytes?.byteLength !== 8 * length) continue;
    const values = new Float64Array(length);
    for (let at = 0; at < length; at++) values[at] = bytes.readDoubleLE(8 * at);
    results.set(key, values);
  }
  return {
    results,
    async keep(key, values) {
      const bytes = Buffer.alloc(8 * values.length);
      values.forEach((value, at) => {
        bytes.writeDoubleLE(value, 8 * at);
      });
      await writeFileAtomically(join(directory, "results", `${key}.f64`), bytes);
      results.set(key, values);
    },
  };
}

function answersHash({ test, pool, support, promptNumbers }: ExperimentAnswers): string {
  const parts = [test, pool].flatMap(({ labels, probabilities, embeddings, group }) => [
    ...[labels, probabilities, embeddings, group],
  ]);
  return hashOf(
    Buffer.concat(
      [...parts, support, Float64Array.from(promptNumbers)].map((part) =>
        Buffer.from(part.buffer, part.byteOffset, part.byteLength),
      ),
    ),
  );
}

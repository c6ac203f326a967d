import { readFile } from "node:fs/promises";
import { append } from "../../core/arrays.js";
import type { RunWriter } from "../../core/record-store.js";
import { type AnyStep, stepId } from "../../core/step.js";
import { sha256 } from "../../files/blobs/blob-address.js";
import type { Exchange } from "../../files/exchange/exchange.js";
import { type ErasedStep, surveyPlan } from "../step-plan.js";
import {
  describedStep,
  type PartResult,
  partName,
  readPlan,
  readResults,
  readTasks,
  recipeHash,
  type WrittenBlob,
} from "./part-files.js";
import type { PartsOptions } from "./plan-parts.js";

export interface FinishedParts {
  /** Steps that were finished, by their ids. */
  readonly steps: readonly string[];
  /** How many records were taken in. */
  readonly records: number;
  /** Parts of tasks without results, as `planParts` named them: their steps are left as they were. */
  readonly missing: readonly string[];
}

/**
 * Takes the results of an exchange into the run, a step once all its parts are there, in plan order. What the run
 * has already is passed over, so finishing again, or after a kill, loses and doubles nothing.
 *
 * @throws InputError where a part is torn or of another recipe, or another process writes to the run
 */
export async function finishParts({
  run,
  stepOf,
  exchange,
  signal,
}: PartsOptions): Promise<FinishedParts> {
  const plan = await readPlan(exchange);
  const found = { steps: [] as string[], records: 0, missing: [] as string[] };
  for (const { step: id, parts } of plan?.steps ?? []) {
    const described = describedStep(run.recipe, id);
    if (described === undefined || (await run.stateOf(id)) === "finished") continue;
    const recipe = recipeHash(run.recipe, described);
    const missing: string[] = [];
    for (let at = 0; at < parts; at++) {
      const name = partName("tasks", id, at);
      const tasks = await readTasks(exchange, name, recipe);
      const results = await readResults(exchange, partName("results", id, at), recipe);
      const isWhole = tasks?.every(({ key }) => results?.has(key)) === true;
      if (!isWhole) missing.push(exchange.pathOf(name));
      signal.throwIfAborted();
    }
    append(found.missing, missing);
    if (missing.length > 0) continue;
    const step = await stepOf(id);
    async function* results() {
      for (let at = 0; at < parts; at++) {
        const read = await readResults(exchange, partName("results", id, at), recipe);
        yield* read?.values() ?? [];
        signal.throwIfAborted();
      }
    }
    found.records += await takeIn(step, results(), { run, exchange, signal });
    found.steps.push(id);
  }
  return found;
}

/** Appends the results that the run lacks, and finishes the step; returns how many they were. */
async function takeIn(
  typed: AnyStep,
  results: AsyncIterable<PartResult>,
  { run, exchange, signal }: Omit<PartsOptions, "stepOf">,
): Promise<number> {
  const id = stepId(typed);
  const ids = run.recipe.steps.map(stepId);
  const records = run.without(ids.slice(ids.indexOf(id)));
  const writer = await run.startWriting([typed]);
  try {
    const stored = await writer.openStep(id);
    try {
      await surveyPlan(typed as unknown as ErasedStep, { records, stored, signal });
      let taken = 0;
      for await (const { record, trace, blobs, truth } of results) {
        const [state] = await stored.look([record.key]);
        if (state?.isWanted !== true) continue;
        for (const blob of blobs) await takeBlob(blob, { writer, exchange });
        if (truth !== undefined) await writer.truth.write(record.key, truth);
        for (const entry of trace) await writer.trace(entry);
        await stored.append([record]);
        taken++;
      }
      await stored.finish();
      return taken;
    } finally {
      await stored.close();
    }
  } finally {
    await writer.close();
  }
}

/** Keeps bytes in the run; of a user's own file that is there, only where it lies. */
async function takeBlob(
  { hash, mediaType, file }: WrittenBlob,
  { writer, exchange }: { readonly writer: RunWriter; readonly exchange: Exchange },
): Promise<void> {
  const own = file === undefined ? undefined : await readFile(file).catch(() => undefined);
  if (own !== undefined && file !== undefined && sha256(own) === hash) {
    await writer.blobs.refer(hash, file);
  } else {
    await writer.blobs.write(await exchange.blobs.read(hash), mediaType);
  }
}

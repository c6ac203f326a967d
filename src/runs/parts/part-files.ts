import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { canonicalJson, type Json, type JsonObject } from "../../core/json.js";
import { type Hash, type Key, keyOf } from "../../core/keys.js";
import { type Recipe, type RecipeStep, recipeSchema } from "../../core/recipe.js";
import { type AnyRecord, anyRecord } from "../../core/records.js";
import { stepId } from "../../core/step.js";
import { type Exchange, readTextRows, textRowsBytes } from "../../files/exchange/exchange.js";

/** A task as it lies in a part, and its result, once it has one. */
export interface PartTask {
  readonly key: Key;
  readonly attempt: number;
  readonly about: JsonObject;
  /** What is in the picture that the task is of, for who checks it. */
  readonly truth?: Json | undefined;
}

/** Bytes that a task wrote; `file` is a user's own file that holds them. */
export interface WrittenBlob {
  readonly hash: Hash;
  readonly mediaType: string;
  readonly file?: string | undefined;
}

export interface PartResult {
  readonly record: AnyRecord;
  readonly trace: readonly JsonObject[];
  readonly blobs: readonly WrittenBlob[];
  readonly truth?: Json | undefined;
}

/** What an exchange holds now: the recipe, and the steps whose tasks wait, with their numbers of parts. */
const planSchema = z.object({
  recipe: recipeSchema,
  steps: z.array(z.object({ step: z.string(), parts: z.int().positive() })),
});
export type PlanFile = z.output<typeof planSchema>;

const planName = "plan.json";
const taskColumns = ["recipe", "key", "attempt", "about", "truth"] as const;
const resultColumns = ["recipe", "key", "record", "trace", "blobs", "truth"] as const;

/** Name of a part in an exchange. */
export const partName = (kind: "tasks" | "results", step: string, at: number): string =>
  `${kind}/${step}/${String(at).padStart(5, "0")}.parquet`;

/** Tells a step of one recipe from that of another. */
export const recipeHash = ({ seed }: Pick<Recipe, "seed">, step: RecipeStep): Key =>
  keyOf({ seed, step: step as unknown as Json });

/** The step of a recipe with this id. */
export const describedStep = ({ steps }: Recipe, id: string): RecipeStep | undefined =>
  steps.find((step) => stepId(step) === id);

export async function readPlan(exchange: Exchange): Promise<PlanFile | undefined> {
  const bytes = await exchange.read(planName);
  if (bytes === undefined) return undefined;
  try {
    return planSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new InputError(`Expected what run plan wrote in ${exchange.pathOf(planName)}`, {
      hint: "Plan again: touchstone run plan RUN --exchange PLACE",
      cause,
    });
  }
}

export const writePlan = (exchange: Exchange, plan: PlanFile): Promise<void> =>
  exchange.write(planName, new TextEncoder().encode(`${JSON.stringify(plan, null, 2)}\n`));

export async function writeTasks(
  exchange: Exchange,
  name: string,
  { recipe, tasks }: { readonly recipe: Key; readonly tasks: readonly PartTask[] },
): Promise<void> {
  const rows = tasks.map(({ key, attempt, about, truth }) => ({
    recipe,
    key,
    attempt: String(attempt),
    about: canonicalJson(about),
    truth: textOf(truth),
  }));
  await exchange.write(name, await textRowsBytes(taskColumns, rows));
}

/** The tasks of a part. @throws InputError where it is torn or of another recipe; undefined where there is none */
export async function readTasks(
  exchange: Exchange,
  name: string,
  recipe: Key,
): Promise<PartTask[] | undefined> {
  const rows = await rowsOf(exchange, name, taskColumns);
  return rows?.map((row) => {
    if (row.recipe !== recipe) throw ofAnotherRecipe(exchange.pathOf(name));
    return {
      key: row.key as Key,
      attempt: Number(row.attempt),
      about: JSON.parse(row.about) as JsonObject,
      truth: jsonOf(row.truth),
    };
  });
}

export async function writeResults(
  exchange: Exchange,
  name: string,
  { recipe, results }: { readonly recipe: Key; readonly results: readonly PartResult[] },
): Promise<void> {
  const rows = results.map(({ record, trace, blobs, truth }) => ({
    recipe,
    key: record.key,
    record: JSON.stringify(record),
    trace: JSON.stringify(trace),
    blobs: JSON.stringify(blobs),
    truth: textOf(truth),
  }));
  await exchange.write(name, await textRowsBytes(resultColumns, rows));
}

/** The results of a part by key. @throws InputError as `readTasks`; undefined where there is none */
export async function readResults(
  exchange: Exchange,
  name: string,
  recipe: Key,
): Promise<ReadonlyMap<Key, PartResult> | undefined> {
  const rows = await rowsOf(exchange, name, resultColumns);
  if (rows === undefined) return undefined;
  const path = exchange.pathOf(name);
  const results = new Map<Key, PartResult>();
  for (const row of rows) {
    if (row.recipe !== recipe) throw ofAnotherRecipe(path);
    const { data: record } = anyRecord.safeParse(JSON.parse(row.record));
    if (record === undefined || record.key !== row.key) {
      throw new InputError(`Expected records of this version in ${path}`, {
        hint: "Remove it and perform the part again with the version that planned it.",
      });
    }
    results.set(record.key, {
      record,
      trace: JSON.parse(row.trace) as JsonObject[],
      blobs: JSON.parse(row.blobs) as WrittenBlob[],
      truth: jsonOf(row.truth),
    });
  }
  return results;
}

const textOf = (value: Json | undefined): string =>
  value === undefined ? "" : canonicalJson(value);

const jsonOf = (text: string): Json | undefined =>
  text === "" ? undefined : (JSON.parse(text) as Json);

async function rowsOf<const Name extends string>(
  exchange: Exchange,
  name: string,
  columns: readonly Name[],
) {
  const bytes = await exchange.read(name);
  return bytes && readTextRows(columns, bytes, exchange.pathOf(name));
}

const ofAnotherRecipe = (path: string): InputError =>
  new InputError(`Expected a part of this run but ${path} is of another recipe`, {
    hint: "Give each run an exchange of its own, or remove the part.",
  });

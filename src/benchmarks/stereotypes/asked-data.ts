import { z } from "zod";
import type { Recipe } from "../../core/recipe.js";
import type { Records } from "../../core/step.js";
import type { RubricWording } from "../../judges/rubric-message.js";
import { textFile } from "../step-kind.js";
import { loadJudgeWording } from "./judge-wording.js";
import type { DataSource } from "./packaged.js";
import { loadQueries, type Query } from "./queries.js";

const dataFile = z.union([z.literal("package"), textFile]);

/** What the recipe of an audit holds beside the parameters of its queries; version 0.2 wrote none of it. */
export const queryInputs = z.object({
  queries: dataFile.optional(),
  rubrics: dataFile.optional(),
  /** Most queries of each category. */
  count: z.int().positive().optional(),
});

/** The user's own file; undefined for the package's. */
export const ownFile = (file: z.output<typeof dataFile> | undefined): DataSource | undefined =>
  file === "package" ? undefined : file;

/** Files of queries and rubrics of an audit, as they were when it began. */
export const askedFiles = ({ steps }: Pick<Recipe, "steps">): z.output<typeof queryInputs> =>
  queryInputs.parse(steps.find(({ name }) => name === "build-queries")?.inputs ?? {});

/** The queries that an audit chose from, by its recipe. */
export function askedQueries(
  { queries }: z.output<typeof queryInputs>,
  categories: readonly string[],
): readonly Query[] {
  return loadQueries(ownFile(queries)).filter(({ category }) => categories.includes(category));
}

/** Schema of the words around a judge's rubric, as parameters of a step hold them. */
export const rubricWording: z.ZodType<RubricWording> = z.object({
  system: z.string(),
  answer: z.string(),
  again: z.string(),
});

/** The words around the rubrics of an audit. */
export function wordingOf({ steps }: Pick<Recipe, "steps">): RubricWording {
  const step = steps.find(({ name }) => name === "audit-initial");
  return rubricWording.safeParse(step?.parameters.instructions).data ?? loadJudgeWording();
}

/** Revisions of the rubrics that images of a run were judged by so far. */
export async function judgedBy(run: Records): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { rubricRevision } of run.ofType("audit")) found.add(rubricRevision);
  return found;
}

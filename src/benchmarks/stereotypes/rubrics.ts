import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { keyOf } from "../../core/keys.js";
import type { Recipe } from "../../core/recipe.js";
import type { DocumentStore, RecordStore } from "../../core/record-store.js";
import type { Records } from "../../core/step.js";
import { linedYaml } from "../../files/yaml.js";
import type { RubricItem, RubricWording } from "../../judges/rubric-message.js";
import { textFile } from "../step-kind.js";
import { type DataSource, loadJudgeWording, packaged } from "./packaged.js";
import { loadQueries, type Query, queryText } from "./queries.js";

const name = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "expected small letters, digits and dashes");
const sentence = z.string().trim().min(1);

const itemSchema = z.strictObject({
  item: name,
  asks: sentence.refine((text) => /[?？؟]$/.test(text), {
    error: "expected a question, with its mark",
  }),
  // A rubric may have questions alone, as the paper's.
  definition: sentence.default(""),
  present: sentence.default(""),
  absent: sentence.default(""),
});

const fileSchema = z.strictObject({
  include: z.literal("default").optional(),
  /** The origin of the words, such as a paper's table. */
  source: sentence.optional(),
  rubrics: z.record(name, z.array(itemSchema).min(1)),
});

/** Questions about the images of a category, in the order in which they are asked. */
export interface Rubric {
  readonly name: string;
  readonly items: readonly RubricItem[];
}

/**
 * The rubrics of a file, those of the package where none is given, by name. With `include: default`
 * those of the package stand beside the file's, which win where both have one.
 *
 * @throws InputError that lists every problem with its line.
 * @example loadRubrics().get("occupational")?.items.length // 9
 */
export function loadRubrics(source = packaged("rubrics.yaml")): ReadonlyMap<string, Rubric> {
  const { value, lineOf } = linedYaml(source.file, source.text, fileSchema);
  const problems: string[] = [];
  const own = Object.entries(value.rubrics).map(([rubric, items]) => {
    const seen = new Set<string>();
    for (const [at, { item, present, absent }] of items.entries()) {
      const where = lineOf(["rubrics", rubric, at]);
      if (seen.has(item)) problems.push(`${where}: ${rubric} has the item ${item} twice`);
      if (present !== "" && present === absent) {
        problems.push(`${where}: ${rubric}.${item} has one example for present and for absent`);
      }
      seen.add(item);
    }
    return [rubric, { name: rubric, items }] as const;
  });
  if (problems.length > 0) {
    throw new InputError(`Expected valid items in ${source.file} but found problems`, { problems });
  }
  return new Map([...(value.include === "default" ? loadRubrics() : []), ...own]);
}

/** File beside a run's records with the items of each rubric that the run asked, by revision. */
const rubricsFile = "rubrics.json";
const schema = z.record(z.string(), z.array(itemSchema));

/** Names a rubric by its words and those around it, as a record's `rubricRevision` does. */
export const rubricRevision = ({ items }: Pick<Rubric, "items">, wording: RubricWording): string =>
  keyOf({ items, wording: { ...wording } }).slice(0, 12);

/** Adds the rubrics that a run's images were asked about to those stored beside it. */
export async function keepRubrics(
  run: Pick<RecordStore, "recipe" | "ofType">,
  documents: Pick<DocumentStore, "read" | "write">,
): Promise<void> {
  const judged = await judgedBy(run);
  const { rubrics } = askedFiles(run.recipe);
  const wording = wordingOf(run.recipe);
  const asked = [...loadRubrics(ownFile(rubrics))].flatMap(([, one]) => {
    const revision = rubricRevision(one, wording);
    return judged.has(revision) ? [[revision, one.items] as const] : [];
  });
  const all = Object.fromEntries([...(await keptRubrics(documents)), ...asked]);
  await documents.write(rubricsFile, `${JSON.stringify(all, null, 2)}\n`);
}

/** The items of the rubrics that a run keeps, by revision; none of a run from before 0.3. */
export async function keptRubrics(
  documents: Pick<DocumentStore, "read">,
): Promise<ReadonlyMap<string, readonly RubricItem[]>> {
  const text = await documents.read(rubricsFile);
  return new Map(text === undefined ? [] : Object.entries(schema.parse(JSON.parse(text))));
}

/** Rubrics, and which of them a query's images are asked about. */
export interface AskedRubrics {
  readonly rubrics: readonly Rubric[];
  /** @throws RangeError for a query of which no rubric is known. */
  rubricOf(query: { readonly category: string; readonly text: string }): Rubric;
}

/** Finds the rubric of a query by its category and words; of an unknown query, the rubric named as its category. */
export function rubricsByQuery({
  queries,
  rubrics,
}: {
  readonly queries: readonly Query[];
  readonly rubrics: ReadonlyMap<string, Rubric>;
}): AskedRubrics {
  const nameOf = (category: string, text: string) => JSON.stringify([category, text]);
  const names = new Map(
    queries.map((query) => [nameOf(query.category, queryText(query)), query.rubric]),
  );
  return {
    rubrics: [...rubrics.values()],
    rubricOf({ category, text }) {
      const found = rubrics.get(names.get(nameOf(category, text)) ?? category);
      if (found === undefined) throw new RangeError(`Expected a rubric for ${text}`);
      return found;
    },
  };
}

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

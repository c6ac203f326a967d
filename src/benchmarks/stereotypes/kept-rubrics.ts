import { z } from "zod";
import { keyOf } from "../../core/keys.js";
import type { DocumentStore } from "../../core/record-store.js";
import type { RubricItem, RubricWording } from "../../judges/rubric-message.js";
import { loadJudgeWording } from "./judge-wording.js";
import { itemSchema, type Rubric } from "./rubrics.js";

/** Lies beside a run's records: the items of each rubric that it asked, by its revision. */
const rubricsFile = "rubrics.json";
const schema = z.record(z.string(), z.array(itemSchema));

/** Names a rubric by its words and those around it, as a record's `rubricRevision` does. */
export const rubricRevision = ({ items }: Pick<Rubric, "items">, wording: RubricWording): string =>
  keyOf({ items, wording: { ...wording } }).slice(0, 12);

/** Keeps the rubrics that a run asks beside those that it asked before. */
export async function keepRubrics(
  documents: Pick<DocumentStore, "read" | "write">,
  rubrics: Iterable<Rubric>,
): Promise<void> {
  const wording = loadJudgeWording();
  const asked = [...rubrics].map((one) => [rubricRevision(one, wording), one.items] as const);
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

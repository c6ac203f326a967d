import { z } from "zod";
import type { ExpertRow } from "../../analysis/stereotypes/audit-experts.js";
import { auditedRows } from "../../analysis/stereotypes/audited-rows.js";
import { placed } from "../../core/models.js";
import type { DocumentStore } from "../../core/record-store.js";
import type { RecordOf } from "../../core/records.js";
import type { LabelledAnswer } from "./labelling-answers.js";
import type { ReadAuditRecords } from "./read-audit-records.js";

/** Lies beside a run's records: the experts' answers that were collected last. */
const labelsFile = "expert-labels.json";
const schema = z.array(
  z.object({
    expert: z.string(),
    item: z.string(),
    audit: z.string(),
    present: z.union([z.literal(0), z.literal(1), z.null()]),
  }),
);

/** An expert's answer, as a run keeps it. */
export type KeptLabel = z.output<typeof schema>[number];

/** Keeps the experts' answers beside a run, in place of those that it kept before. */
export const keepLabels = (
  documents: Pick<DocumentStore, "write">,
  answers: readonly LabelledAnswer[],
): Promise<void> => documents.write(labelsFile, `${JSON.stringify(answers)}\n`);

/** The experts' answers that a run keeps; none where nobody's were collected. */
export async function keptLabels(
  documents: Pick<DocumentStore, "read">,
): Promise<readonly KeptLabel[]> {
  const text = await documents.read(labelsFile);
  return text === undefined ? [] : schema.parse(JSON.parse(text));
}

/** The judged rows with the experts' answers, in the order of their names. */
export function expertRows(
  records: ReadAuditRecords,
  answers: readonly KeptLabel[],
): { readonly rows: ExpertRow[]; readonly names: readonly string[] } {
  const names = [...new Set(answers.map(({ expert }) => expert))].sort();
  const audits = new Map<string, RecordOf<"audit">>(
    records.audits.map((audit) => [audit.key, audit]),
  );
  const byPlace = new Map<string, Map<string, 0 | 1 | null>>();
  for (const { audit: key, item, expert, present } of answers) {
    const audit = audits.get(key);
    if (audit === undefined) continue;
    const place = placeOf(audit, item);
    const own = byPlace.get(place) ?? new Map<string, 0 | 1 | null>();
    byPlace.set(place, own.set(expert, present));
  }
  const rows = auditedRows(records).map((row) => {
    const { category, query, model, phase, imageSet, item } = row;
    const own = byPlace.get(JSON.stringify([category, query, model, phase, imageSet, item]));
    return { ...row, experts: names.map((name) => own?.get(name) ?? null) };
  });
  return { rows, names };
}

/** Names an audit item's row as `auditedRows` does. */
const placeOf = (
  { category, text, generator, generatorBaseUrl, phase, set }: RecordOf<"audit">,
  item: string,
): string =>
  JSON.stringify([
    ...[category, text, placed({ model: generator, baseUrl: generatorBaseUrl }), phase],
    ...[String(set), item],
  ]);

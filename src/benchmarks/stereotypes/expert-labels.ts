import { z } from "zod";
import type { ExpertRow } from "../../analysis/stereotypes/audit-experts.js";
import { auditedRows } from "../../analysis/stereotypes/audited-rows.js";
import { InputError } from "../../core/errors.js";
import { placed } from "../../core/models.js";
import type { DocumentStore } from "../../core/record-store.js";
import type { RecordOf } from "../../core/records.js";
import { readTable } from "../../files/read-table.js";
import { answer, text } from "../../tables/columns.js";
import { blindName } from "./labelling-sheet-of-run.js";
import type { ReadAuditRecords } from "./read-audit-records.js";

/** File beside a run's records with the experts' latest answers. */
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

/** Writes the experts' answers beside a run and replaces earlier ones. */
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

/** An expert's answer; null where they could not say. */
interface LabelledAnswer {
  readonly expert: string;
  readonly item: string;
  /** The key of the audit record that the set was judged by. */
  readonly audit: RecordOf<"audit">["key"];
  readonly present: 0 | 1 | null;
}

const columns = { sheet: text, set: text, item: text, expert: text, present: answer };

/** Columns of the table that answers are put into; an expert can't be called like one of them. */
const taken = ["query", "category", "model", "phase", "imageSet", "item", "present", "expert"];

/** A file of an expert's labels, as people call it: a table, or rows that were read already. */
export type LabelledFile = { readonly name: string } & (
  | { readonly path: string }
  | { readonly rows: readonly PlacedRow[] }
);

/**
 * The answers in files of experts' labels, each set found back by its blind name.
 *
 * @throws InputError with every problem and its file and line: sets that are not of this run, items
 *   that were not asked, answers that stand there twice.
 */
export async function readLabelledAnswers(
  files: readonly LabelledFile[],
  audits: readonly RecordOf<"audit">[],
): Promise<LabelledAnswer[]> {
  const sets = new Map(
    audits.filter(({ trial }) => trial === 0).map((audit) => [blindName(audit), audit]),
  );
  const answers: LabelledAnswer[] = [];
  const problems: string[] = [];
  const places = new Map<string, string>();
  for (const source of files) {
    for (const { row, place } of "rows" in source ? source.rows : await rowsIn(source)) {
      const { set, item, expert, present } = row;
      const audit = sets.get(set);
      const id = JSON.stringify([set, item, expert]);
      const earlier = places.get(id);
      if (audit === undefined) {
        problems.push(`Expected a set of this run but received "${set}" (${place})`);
      } else if (!audit.items.includes(item)) {
        problems.push(`Expected an item of ${audit.category} but received "${item}" (${place})`);
      } else if (taken.includes(expert)) {
        problems.push(
          `Expected an expert's name that is no column but received "${expert}" (${place})`,
        );
      } else if (earlier !== undefined) {
        problems.push(
          `Expected one answer of ${expert} to ${item} of ${set} but another stands ${earlier} (${place})`,
        );
      } else {
        places.set(id, place);
        answers.push({ expert, item, audit: audit.key, present });
      }
    }
  }
  if (problems.length > 0) {
    throw new InputError(
      `Expected answers to a sheet of this run but found ${problems.length} ${problems.length === 1 ? "problem" : "problems"}`,
      {
        problems,
        hint: "Nothing was written. Correct these lines, or name the run that the sheet was made from.",
      },
    );
  }
  return answers;
}

async function rowsIn(source: { readonly name: string; readonly path: string }) {
  const found: PlacedRow[] = [];
  for await (const { row, line } of readTable({ source, columns, format: "csv" })) {
    found.push({ row, place: `in ${source.name}, line ${line}` });
  }
  return found;
}

interface PlacedRow {
  readonly row: {
    readonly set: string;
    readonly item: string;
    readonly expert: string;
    readonly present: 0 | 1 | null;
  };
  readonly place: string;
}

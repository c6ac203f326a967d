import { InputError } from "../../core/errors.js";
import type { RecordOf } from "../../core/records.js";
import { readTable } from "../../files/read-table.js";
import { answer, text } from "../../tables/columns.js";
import { blindName } from "./labelling-sheet-of-run.js";

/** One answer of an expert: null where they could not say. */
export interface LabelledAnswer {
  readonly expert: string;
  readonly item: string;
  /** The key of the audit record that the set was judged by. */
  readonly audit: RecordOf<"audit">["key"];
  readonly present: 0 | 1 | null;
}

const columns = { sheet: text, set: text, item: text, expert: text, present: answer };

/** Columns of the table that answers are put into; an expert can't be called like one of them. */
const taken = ["query", "category", "model", "phase", "imageSet", "item", "present", "expert"];

/**
 * The answers in CSV files that labelling sheets saved, each set found back by its blind name.
 *
 * @param files as people call them, with their paths.
 * @throws InputError with every problem and its file and line: sets that are not of this run, items
 *   that were not asked, answers that stand there twice.
 */
export async function readLabelledAnswers(
  files: readonly { readonly name: string; readonly path: string }[],
  audits: readonly RecordOf<"audit">[],
): Promise<LabelledAnswer[]> {
  const sets = new Map(
    audits.filter(({ trial }) => trial === 0).map((audit) => [blindName(audit), audit]),
  );
  const answers: LabelledAnswer[] = [];
  const problems: string[] = [];
  const places = new Map<string, string>();
  for (const source of files) {
    const found: { row: Row; place: string }[] = [];
    for await (const { row, line } of readTable({ source, columns, format: "csv" })) {
      found.push({ row, place: `in ${source.name}, line ${line}` });
    }
    for (const { row, place } of found) {
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

interface Row {
  readonly set: string;
  readonly item: string;
  readonly expert: string;
  readonly present: 0 | 1 | null;
}

import { resolve } from "node:path";
import type { JsonObject } from "../../../core/json.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { readTextFile } from "../../../files/regular-file.js";
import { pluralText } from "../../../views/number-text.js";
import { besideName } from "../../command-line/out-path.js";

/** Where results were written. */
export interface SavedResults {
  readonly file: string;
  /** How they differ from those in the file that was named, where these stay. */
  readonly changes: string | undefined;
}

/**
 * Writes results to the file that was named; where other results stand there, beside it. Results that
 * all stand in the new ones are no others.
 */
export async function saveResults(
  rows: readonly JsonObject[],
  { out, workingDirectory }: { readonly out: string; readonly workingDirectory: string },
): Promise<SavedResults> {
  const lines = rows.map((row) => JSON.stringify(row));
  const known = new Set(lines);
  let first: string[] | undefined;
  for (let number = 1; ; number++) {
    const file = besideName(out, number);
    const path = resolve(workingDirectory, file);
    const standing = await readTextFile(path).then(
      (text) => text.split("\n").filter(Boolean),
      () => [],
    );
    first ??= standing;
    if (!standing.every((line) => known.has(line))) continue;
    await writeFileAtomically(path, lines.map((line) => `${line}\n`).join(""));
    return { file, changes: file === out ? undefined : changesText(first, rows) };
  }
}

/** Compares decisions by the ids of items. */
function changesText(before: readonly string[], rows: readonly JsonObject[]): string {
  const was = decisionsOf(before.flatMap(rowOf));
  const is = decisionsOf(rows);
  const ids = [...is.keys()];
  const known = ids.filter((id) => was.has(id));
  const otherwise = known.filter((id) => was.get(id) !== is.get(id));
  const gone = [...was.keys()].filter((id) => !is.has(id)).length;
  const such = otherwise.length === 0 ? "" : ` (such as ${otherwise[0]})`;
  return (
    `${pluralText(known.length - otherwise.length, "decision")} as before, ${otherwise.length} otherwise${such}, ` +
    `${gone} no longer made, ${ids.length - known.length} new.`
  );
}

const decisionsOf = (rows: readonly JsonObject[]) =>
  new Map(rows.map(({ id, decision }) => [String(id), decision]));

function rowOf(line: string): JsonObject[] {
  try {
    return [JSON.parse(line) as JsonObject];
  } catch {
    return [];
  }
}

import type { EndingCount } from "../core/record-store.js";
import type { RecordIndex } from "./record-index.js";

/** The planned keys that have a record, counted by how they ended, in order of appearance. */
export function countEndings(index: RecordIndex): readonly EndingCount[] {
  const counts = new Map<
    string,
    { -readonly [Member in keyof EndingCount]: EndingCount[Member] }
  >();
  for (const { standing } of index.inOrder()) {
    const { reason, retryable } = standing;
    const ending = `${reason} ${retryable}`;
    const known = counts.get(ending);
    if (known === undefined) counts.set(ending, { reason, retryable, count: 1 });
    else known.count++;
  }
  return [...counts.values()];
}

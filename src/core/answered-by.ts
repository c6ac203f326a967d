import { type Placed, placed } from "./models.js";

interface Answered extends Placed {
  readonly answeredBy?: readonly string[] | undefined;
}

/**
 * Records in which a model counts once for each model that answered in its place, where that changes among
 * them: `openai-compatible:tiny (answered by other)`.
 */
export function toldApart<Of extends Answered>(records: readonly Of[]): readonly Of[] {
  const answerers = new Map<string, Set<string>>();
  for (const record of records) {
    const names = answerers.get(placed(record)) ?? new Set();
    answerers.set(placed(record), names.add(answererOf(record)));
  }
  if ([...answerers.values()].every(({ size }) => size === 1)) return records;
  return records.map((record) =>
    answerers.get(placed(record))?.size === 1 || record.answeredBy === undefined
      ? record
      : { ...record, model: `${record.model} (answered by ${answererOf(record)})` },
  );
}

const answererOf = ({ answeredBy = [] }: Answered) => answeredBy.join(", ");

/**
 * A sentence on answers of other models than the one asked; `undefined` where there are none.
 *
 * @param counts answers by the model that gave them
 * @param all answers of whomever
 */
export function otherModelsText(
  counts: ReadonlyMap<string, number>,
  all: number,
): string | undefined {
  if (counts.size === 0) return undefined;
  const each = [...counts].map(([name, count]) => `${count} of ${all} by ${name}`);
  const changes = counts.size > 1 || [...counts.values()].some((count) => count < all);
  return (
    `The server names another model than was asked: ${each.join(", ")}` +
    (changes ? "; scores of one model and of another are no sample of one" : "")
  );
}

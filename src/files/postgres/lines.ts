import { InputError } from "../../core/errors.js";
import { type AnyRecord, anyRecord } from "../../core/records.js";
import type { Database } from "./database.js";

const atOnce = 2_000;

/** Who is asked. */
type Asked = Pick<Database, "rows">;

/** A line of a step by its number among all that were appended to it. */
export interface StepLine {
  readonly seq: number;
  readonly worker: number;
  readonly line: string;
}

/** One that stands in the order of the plan, at this place from 0. */
export interface PlacedLine extends StepLine {
  readonly place: number;
}

/**
 * The line of the step `$1` with this number, asked for by itself. Of a step that is new to its statistics the
 * planner expects one row, and in a plain join would read the whole step for each line.
 */
export const lineAt = (seq: string): string =>
  `(select seq, worker, line from touchstone.records where step = $1 and seq = ${seq} offset 0)`;

/** The lines of a step that was put in order, by place, from the one after `after`. */
export async function* linesInOrder(database: Asked, step: number): AsyncGenerator<PlacedLine> {
  for (let last = -1; ; ) {
    const rows = await database.rows<PlacedLine>(
      `select p.place, r.seq, r.worker, r.line
       from touchstone.places p cross join lateral ${lineAt("p.seq")} r
       where p.step = $1 and p.place > $2 order by p.place limit ${atOnce}`,
      [step, last],
    );
    yield* rows;
    const end = rows.at(-1)?.place;
    if (rows.length < atOnce || end === undefined) return;
    last = end;
  }
}

/** The lines of a step as they were appended, from the one after `after`. */
export async function* linesAppended(
  database: Asked,
  { step, after }: { readonly step: number; readonly after: number },
): AsyncGenerator<StepLine> {
  for (let last = after; ; ) {
    const rows = await database.rows<StepLine>(
      `select seq, worker, line from touchstone.records
       where step = $1 and seq > $2 and not forgotten order by seq limit ${atOnce}`,
      [step, last],
    );
    yield* rows;
    const end = rows.at(-1)?.seq;
    if (rows.length < atOnce || end === undefined) return;
    last = end;
  }
}

/** These lines of a step, in the order of `seqs`. */
export async function* linesAt(
  database: Asked,
  { step, seqs }: { readonly step: number; readonly seqs: readonly number[] },
): AsyncGenerator<StepLine> {
  for (let at = 0; at < seqs.length; at += atOnce) {
    yield* await database.rows<StepLine>(
      `select r.seq, r.worker, r.line from unnest($2::bigint[]) with ordinality as wanted (seq, n)
       cross join lateral ${lineAt("wanted.seq")} r order by wanted.n`,
      [step, seqs.slice(at, at + atOnce)],
    );
  }
}

/**
 * Which lines of a step count, those in order first: of each key the latest attempt, of equal attempts
 * the one with an answer, of equal ones the one that stands in order. Lines and places are sorted together in
 * place of a join, of which the planner may choose one that compares each with each.
 */
export async function countingSeqs(database: Asked, step: number): Promise<readonly number[]> {
  const rows = await database.rows<{ seqs: number[] | null }>(
    `select array_agg(seq::float8 order by place nulls last, seq) as seqs from (
       select distinct on (key) seq, place from (
         select seq, key, attempt, reason, max(place) over (partition by seq) as place from (
           select seq, key, attempt, reason, null::int as place from touchstone.records
             where step = $1 and not forgotten
           union all select seq, null, null, null, place from touchstone.places where step = $1
         ) as lines_and_places
       ) as lines where key is not null
       order by key, attempt desc, reason is not null, place nulls last, seq
     ) as counting`,
    [step],
  );
  return rows[0]?.seqs ?? [];
}

/** A record as its line holds it. @throws InputError where it is none of this version */
export function recordOf({ line, seq }: StepLine, place: string): AnyRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  const parsed = anyRecord.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InputError(
    `Expected a record but received one whose ${issue?.path.join(".") || "whole"} does not fit: ` +
      `${issue?.message ?? "invalid"} (in ${place}, record ${seq})`,
    { hint: "It was changed by hand, damaged, or written by another version." },
  );
}

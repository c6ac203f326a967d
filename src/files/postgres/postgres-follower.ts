import { InputError } from "../../core/errors.js";
import type { FollowedRecord, RecordFollower, RecordPosition } from "../../core/record-store.js";
import type { AnyRecord } from "../../core/records.js";
import type { Database } from "./database.js";
import { lineAt, linesAppended, linesInOrder, recordOf, type StepLine } from "./lines.js";
import type { StepRow } from "./step-row.js";

/** The run that is followed. */
interface FollowedRun {
  readonly place: string;
  readonly database: Database;
  readAgain(): Promise<void>;
  stepRows(): Promise<readonly StepRow[]>;
}

/** A step and how much of it was read, in records. */
interface ReadStep {
  row: StepRow;
  read: number;
}

const inOrder = "ordered";

/** Reads the records of a run in a database on from where they were read to. */
export class PostgresFollower implements RecordFollower {
  readonly #run: FollowedRun;
  readonly #steps = new Map<string, ReadStep>();

  constructor(run: FollowedRun) {
    this.#run = run;
  }

  get progress(): { readonly read: number; readonly total: number } {
    let [read, total] = [0, 0];
    for (const step of this.#steps.values()) {
      read += step.read;
      total += step.row.last;
    }
    return { read, total };
  }

  async *news(): AsyncGenerator<readonly FollowedRecord[]> {
    await this.#run.readAgain();
    for (const row of await this.#run.stepRows()) {
      const known = this.#steps.get(row.name);
      const isNew = known === undefined || known.row.version !== row.version;
      const step: ReadStep = { row, read: isNew ? 0 : known.read };
      this.#steps.set(row.name, step);
      const { database } = this.#run;
      const tell = (isInOrder: boolean, offset: number, line: string): FollowedRecord => ({
        step: row.name,
        value: JSON.parse(line),
        isInOrder,
        position: { part: partOf(row.id, isInOrder), offset, length: line.length },
      });
      if (isNew && row.ordered > 0) {
        for await (const line of linesInOrder(database, row.id)) {
          yield [tell(true, line.place, line.line)];
        }
        step.read = row.ordered;
      }
      for await (const line of linesAppended(database, { step: row.id, after: step.read })) {
        step.read = Math.max(line.seq, step.read);
        yield [tell(false, line.seq, line.line)];
      }
      step.read = Math.max(row.last, step.read);
    }
  }

  async *read(positions: readonly RecordPosition[]): AsyncGenerator<AnyRecord> {
    const { database, place } = this.#run;
    for (const { part, offsets } of inParts(positions)) {
      const [step, table] = part.split(" ");
      const kept =
        table === inOrder
          ? `(select p.place as at, r.* from touchstone.places p
             cross join lateral ${lineAt("p.seq")} r
             where p.step = $1 and p.place = any($2::bigint[]))`
          : `(select seq as at, seq, worker, line from touchstone.records
             where step = $1 and seq = any($2::bigint[]))`;
      const lines = await database.rows<StepLine>(
        `select kept.seq, kept.worker, kept.line
         from unnest($2::bigint[]) with ordinality as wanted (at, n)
         join ${kept} as kept using (at) order by wanted.n`,
        [Number(step), offsets],
      );
      if (lines.length < offsets.length) {
        throw new InputError(`Expected records of ${part} in ${place} but some are gone`);
      }
      for (const line of lines) yield recordOf(line, place);
    }
  }
}

const readAtOnce = 500;

/** Positions that follow each other in one part, some at a time. */
function* inParts(positions: readonly RecordPosition[]) {
  let some: { readonly part: string; readonly offsets: number[] } | undefined;
  for (const { part, offset } of positions) {
    if (some?.part === part && some.offsets.length < readAtOnce) {
      some.offsets.push(offset);
      continue;
    }
    if (some !== undefined) yield some;
    some = { part, offsets: [offset] };
  }
  if (some !== undefined) yield some;
}

const partOf = (step: number, isInOrder: boolean) => `${step} ${isInOrder ? inOrder : "appended"}`;

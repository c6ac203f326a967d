import { InputError } from "../../core/errors.js";
import type { FollowedRecord, RecordFollower, RecordPosition } from "../../core/record-store.js";
import type { AnyRecord } from "../../core/records.js";
import type { Database } from "./database.js";
import { linesAppended, linesInOrder, recordOf, type StepLine } from "./lines.js";
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

  async *news(): AsyncGenerator<FollowedRecord> {
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
          yield tell(true, line.place, line.line);
        }
        step.read = row.ordered;
      }
      for await (const line of linesAppended(database, { step: row.id, after: step.read })) {
        step.read = Math.max(line.seq, step.read);
        yield tell(false, line.seq, line.line);
      }
      step.read = Math.max(row.last, step.read);
    }
  }

  async *read(positions: readonly RecordPosition[]): AsyncGenerator<AnyRecord> {
    const { database, place } = this.#run;
    for (const { part, offset } of positions) {
      const [step, table] = part.split(" ");
      const [line] = await database.rows<StepLine>(
        table === inOrder
          ? `select r.seq, r.worker, r.line from touchstone.places p
             join touchstone.records r using (step, seq) where p.step = $1 and p.place = $2`
          : "select seq, worker, line from touchstone.records where step = $1 and seq = $2",
        [Number(step), offset],
      );
      if (line === undefined) {
        throw new InputError(`Expected record ${offset} of ${part} in ${place} but it is gone`);
      }
      yield recordOf(line, place);
    }
  }
}

const partOf = (step: number, isInOrder: boolean) => `${step} ${isInOrder ? inOrder : "appended"}`;

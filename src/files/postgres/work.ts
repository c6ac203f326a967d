import type { Worker } from "../../core/record-store.js";
import type { Database } from "./database.js";
import { workerLocks } from "./schema.js";

/**
 * The numbers of workers that live: each holds an advisory lock by a connection of its own, which
 * ends with its process, or half a minute after its machine is gone.
 */
export const livingIds = `(select objid::bigint from pg_locks where locktype = 'advisory' and granted
  and classid = ${workerLocks}
  and database = (select oid from pg_database where datname = current_database()))`;

/** Who is at work on a run, in the order in which they began. */
export async function livingWorkers(database: Database, run: number): Promise<Worker[]> {
  const rows = await database.rows<WorkerRow>(
    `select id, who, command from touchstone.workers
     where run = $1 and ended is null and id in ${livingIds} order by id`,
    [run],
  );
  return rows.map(workerOf);
}

export interface WorkerRow {
  readonly id: number;
  readonly who: string;
  readonly command: string | null;
}

export const workerOf = ({ id, who, command }: WorkerRow): Worker => ({
  id: String(id),
  who,
  command: command ?? undefined,
});

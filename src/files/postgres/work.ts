import type { Worker } from "../../core/record-store.js";
import type { Database } from "./database.js";
import { workerLocks } from "./schema.js";

const areOfWorkers = `locktype = 'advisory' and granted and classid = ${workerLocks}
  and database = (select oid from pg_database where datname = current_database())`;

/**
 * The numbers of workers that live: each holds an advisory lock by a session of its own, which ends with
 * its process, or half a minute after its machine is gone; see `lockSession`.
 */
export const livingIds = `(select objid::bigint from pg_locks where ${areOfWorkers})`;

/**
 * Who is at work on a run, in the order in which they began. Since when the server has heard nothing of a
 * session it tells its own role, and those who may read all statistics.
 */
export async function livingWorkers(database: Database, run: number): Promise<Worker[]> {
  const rows = await database.rows<WorkerRow & { silent: number | null }>(
    `select w.id, w.who, w.command,
       extract(epoch from clock_timestamp() - a.state_change)::float8 as silent
     from touchstone.workers w
       join (select objid::bigint as id, pid from pg_locks where ${areOfWorkers}) l using (id)
       left join pg_stat_activity a using (pid)
     where w.run = $1 and w.ended is null order by w.id`,
    [run],
  );
  return rows.map(({ silent, ...row }) => ({ ...workerOf(row), silentFor: silent ?? undefined }));
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

import type { Database } from "./database.js";

/** So long others at work are waited for. */
const longestWait = "30s";

/**
 * Writes tables anew without deleted rows (VACUUM FULL; a plain VACUUM leaves their bytes in its pages). Nobody else reads or writes them meanwhile.
 *
 * @returns what is left, a sentence each: what the role may not do, and copies that no statement reaches.
 */
export async function reclaimTables(
  database: Database,
  tables: readonly string[],
): Promise<readonly string[]> {
  const command = `VACUUM (FULL) ${tables.join(", ")}`;
  const elsewhere =
    `Its backups, snapshots and write-ahead log (${database.shown}) may hold deleted rows until they ` +
    "are removed or expire.";
  const [owned] = await database.rows<{ may: boolean; who: string }>(
    `select current_user as who, bool_and(pg_has_role(relowner, 'usage')) as may
     from pg_class where oid = any($1::regclass[])`,
    [[...tables]],
  );
  const byHand = (why: string) =>
    `Deleted rows are still in the pages of its tables: ${why}. Their owner frees them by: ${command}`;
  if (owned?.may !== true) return [byHand(`${owned?.who} does not own them`), elsewhere];
  try {
    await database.alone([`set lock_timeout = '${longestWait}'`, command]);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return [byHand(`others were at work on them for ${longestWait}`), elsewhere];
  }
  return [elsewhere];
}

/** A lock that was not had in time. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "55P03";

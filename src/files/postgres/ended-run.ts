import { postgresPlace } from "./address.js";
import { databaseAt } from "./database.js";

/** Whether a run of version 0.2 stands at an address. No later version reads or changes it. */
export async function hasEndedRun(place: string): Promise<boolean> {
  const { connection, name } = postgresPlace(place);
  const database = databaseAt(connection);
  const [runs] = await database.rows<{ there: boolean }>(
    "select to_regclass('touchstone.runs') is not null as there",
  );
  if (runs?.there !== true) return false;
  const found = await database.rows("select id from touchstone.runs where name = $1", [name]);
  return found.length > 0;
}

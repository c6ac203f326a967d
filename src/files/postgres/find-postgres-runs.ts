import { placeWithin, postgresPlace } from "./address.js";
import { databaseAt } from "./database.js";

/** Whether a run stands at an address; not where nobody answers there. */
export async function hasPostgresRun(place: string): Promise<boolean> {
  return (await postgresRunsIn(place)).some(({ name }) => name === "");
}

/** The runs of a database, or those within one of its runs and itself, by name. */
export async function postgresRunsIn(
  place: string,
): Promise<readonly { readonly name: string; readonly place: string }[]> {
  const { connection, store, run } = postgresPlace(place);
  const database = databaseAt(connection);
  if (!(await database.hasTables())) return [];
  const rows = await database.rows<{ name: string }>(
    `select name from touchstone.runs
     where $1 = '' or name = $1 or starts_with(name, $1 || '/') order by name collate "C"`,
    [run],
  );
  return rows.map(({ name }) => ({
    name: run === "" ? name : name.slice(run.length + 1),
    place: placeWithin(store, name),
  }));
}

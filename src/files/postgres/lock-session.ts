import type { Client } from "pg";
import type { Database } from "./database.js";

/** Milliseconds after which the server ends a session that it does not hear of. */
const halfMinute = 30_000;
/** So often a session says in that time that it lives. */
const beats = 6;

/**
 * A connection to hold locks by, which says all the while that its process lives. The server ends a session
 * that it has not heard of for half a minute, and its locks with it, even where something between the two
 * keeps the connection of a machine that vanished. The process, which hears nothing either, gives it up
 * somewhat sooner, so that of two who think that they hold a lock one is about to learn better.
 *
 * @throws InputError, TouchstoneError as all that asks the database
 */
export async function lockSession(
  database: Database,
  { silence = halfMinute }: { readonly silence?: number } = {},
): Promise<Client> {
  const client = await database.connection();
  // Said again where it is used; an error that nobody listens to would end the process.
  client.on("error", () => {});
  try {
    await client.query(`set idle_session_timeout = ${silence}`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  let isAsking = false;
  const beat = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    // Its last beat was answered a beat ago at most: together they are less than the server waits.
    const givenUp = setTimeout(() => void client.end().catch(() => {}), (silence * 2) / 3);
    givenUp.unref();
    const heard = () => {
      isAsking = false;
      clearTimeout(givenUp);
    };
    client.query("select").then(heard, heard);
  }, silence / beats);
  beat.unref();
  client.once("end", () => clearInterval(beat));
  return client;
}

import { afterAll, beforeAll, expect, test } from "vitest";
import { CutLine } from "../../../test/support/cut-line.js";
import { noPostgres, PostgresServer } from "../../../test/support/postgres-server.js";
import { databaseAt } from "./database.js";
import { lockSession } from "./lock-session.js";

const silence = 2_000;
const taken = "select pg_try_advisory_lock(7) as got";

const heard = `select extract(epoch from state_change)::float8 as at from pg_stat_activity
  join pg_locks using (pid) where locktype = 'advisory' and objid = 7`;

if (noPostgres !== undefined) test.skip(noPostgres, () => {});
else {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());

  test("whoever holds a lock is heard of, and loses it behind a line that says nothing, but learns it first", async () => {
    const store = await server.newDatabase();
    const line = await CutLine.to(server.port);
    const through = Object.assign(new URL(store), { port: String(line.port) }).href;
    const holder = await lockSession(databaseAt(through), { silence });
    const other = await databaseAt(store).connection();
    const got = async () => (await other.query(taken)).rows[0].got;
    const events: string[] = [];
    const gone = new Promise<void>((resolve) => {
      holder.once("end", () => {
        events.push("given up");
        resolve();
      });
    });
    try {
      expect((await holder.query(taken)).rows[0].got).toBe(true);
      const lastHeard = async () => (await other.query(heard)).rows[0].at;
      const first = await lastHeard();
      await expect.poll(lastHeard, { interval: 50 }).toBeGreaterThan(first);
      expect(await got()).toBe(false);
      line.cut("silent");
      // Nothing on the line tells either end of the other: each counts by itself.
      await expect
        .poll(
          async () => {
            const isFree = await got();
            if (isFree) events.push("free");
            return isFree;
          },
          { interval: 10 },
        )
        .toBe(true);
      await gone;
      expect(events).toEqual(["given up", "free"]);
    } finally {
      await other.end();
      await line.stop();
    }
  });
}

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { noPostgres, PostgresServer } from "../support/postgres-server.js";

const script = fileURLToPath(new URL("../../bench/study-load.mjs", import.meta.url));

/** How long calls take is printed and passes no judgement: a machine that does other work is slower. */
function load(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...variables };
  const ended = spawnSync(process.execPath, [script, "--bar", "Infinity", ...words], {
    encoding: "utf8",
    env,
  });
  console.log(ended.stdout);
  return ended;
}

test("200 people on one study, its server killed ten times: no answer is lost, none counts twice", () => {
  const { status, stdout, stderr } = load([]);
  expect(status, `${stdout}${stderr}`).toBe(0);
}, 600_000);

test.skipIf(noPostgres !== undefined)(
  `200 people on two servers and one database, a server killed: the same ${noPostgres ?? ""}`,
  async () => {
    const database = await PostgresServer.start({ fsync: "on" });
    try {
      const store = await database.newDatabase({ password: false });
      const words = ["--servers", "2", "--store", store, "--kills", "1"];
      const { status, stdout, stderr } = load(words, { PGPASSWORD: PostgresServer.password });
      expect(status, `${stdout}${stderr}`).toBe(0);
    } finally {
      await database.stop();
    }
  },
  600_000,
);

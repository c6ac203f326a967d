// Our side of bench/query.mjs, in a process of its own: writes the file, or asks it by the session that
// `touchstone query` uses.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileTable } from "../dist/files/duckdb/file-tables.js";
import { TablesSession } from "../dist/files/duckdb/tables-session.js";

const [, , task, path, rows] = process.argv;
if (task === "write") {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (
    await DuckDBInstance.create(":memory:", { memory_limit: "1GB" })
  ).connect();
  await connection.run(
    `COPY (SELECT md5(range::VARCHAR) AS key, 'metric-' || (range % 4) AS metric, 'model-' || (range // 4 % 8) AS model,
       (hash(range) % 1000000) / 1e6 AS value FROM range(${Number(rows)})) TO '${path}' (FORMAT parquet, COMPRESSION snappy)`,
  );
  console.log("{}");
} else {
  const folder = mkdtempSync(join(tmpdir(), "query-ours-"));
  const session = await TablesSession.open({
    tables: [fileTable(path, [path])],
    folder,
    memory: "1GB",
  });
  const before = performance.now();
  const answer = await session.ask(
    "SELECT metric, model, count(*) AS n, avg(value) AS mean FROM scores GROUP BY ALL ORDER BY ALL",
  );
  const groups = [];
  for await (const row of answer.rows()) groups.push(row);
  const seconds = (performance.now() - before) / 1000;
  session.close();
  rmSync(folder, { recursive: true });
  console.log(JSON.stringify({ seconds, groups, peak: process.resourceUsage().maxRSS }));
}

import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../src/files/open-store.js";
import { exportRun } from "../../src/runs/export-run.js";
import { generatedRun } from "../support/generated-run.js";

// What run export writes, read by those it is written for. Their packages come from PyPI.

const program = `
import json, sys
import pandas as pd, polars as pl, pyarrow.dataset as ds
folder = sys.argv[1]
frame = pd.read_parquet(folder)
polars = pl.read_parquet(folder + "/**/*.parquet", hive_partitioning=True)
arrow = ds.dataset(folder, partitioning="hive").to_table().to_pandas()
def found(rows):
    rows = rows.sort_values("key")
    return {"rows": len(rows), "steps": sorted(set(map(str, rows["step"]))), "keys": list(rows["key"]),
            "values": [None if pd.isna(v) else v for v in rows["value"]], "trials": int(rows["trial"].sum())}
print(json.dumps([found(frame), found(polars.to_pandas()), found(arrow)]))
`;

let folder = "";
let python = "";
let problem: string | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "touchstone-tables-"));
  python = join(folder, "venv/bin/python");
  for (const [command = "", ...words] of [
    ["python3", "-m", "venv", join(folder, "venv")],
    [python, "-m", "pip", "install", "-q", "pandas==2.3.3", "pyarrow==21.0.0", "polars==1.33.1"],
  ]) {
    const { status, stderr, error } = spawnSync(command, words, { encoding: "utf8" });
    if (status !== 0) problem ??= error?.message ?? stderr.trim().split("\n").at(-1);
  }
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("pandas, Polars and Arrow read every row of an export", async (context) => {
  if (problem !== undefined) context.skip(`pandas, Polars and pyarrow are missing: ${problem}`);
  const run = await generatedRun(join(folder, "run"), { images: 400, side: 8, metrics: 3 });
  const out = join(folder, "tables");
  await exportRun(await openStore(run.directory), out, { signal: new AbortController().signal });
  const { stdout, stderr } = spawnSync(python, ["-c", program, join(out, "scores")], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  expect(stderr).toBe("");
  const scores = [...run.scores].sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const found of JSON.parse(stdout)) {
    expect(found.rows).toBe(scores.length);
    expect(found.keys).toEqual(scores.map(({ key }) => key));
    expect(found.values).toEqual(
      scores.map((score) => (score.status === "done" ? score.value : null)),
    );
    expect(found.steps).toHaveLength(3);
    expect(found.trials).toBe(scores.reduce((sum, { trial }) => sum + trial, 0));
  }
});

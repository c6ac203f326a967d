import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialectNames } from "../../src/conclusions/sums/dialects.js";
import { touchstone } from "../support/touchstone.js";

const python = process.env.TOUCHSTONE_PYTHON ?? "python3";
const lacks = (module: string) => spawnSync(python, ["-c", `import ${module}`]).status !== 0;
const why = (module: string) =>
  lacks(module) ? ` (${python} has no ${module}: TOUCHSTONE_PYTHON names one that has)` : "";

/** Each runs the query over scores.csv and writes the answer. */
const engines = {
  duckdb: `
import duckdb
duckdb.sql("CREATE VIEW scores AS FROM read_csv('scores.csv')")
duckdb.sql(f"COPY ({open('query.sql').read()}) TO 'duckdb.parquet'")`,
  spark: `
from pyspark.sql import SparkSession
few = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}
spark = SparkSession.builder.master("local[2]").config(map=few).getOrCreate()
spark.read.csv("scores.csv", header=True, inferSchema=True).createOrReplaceTempView("scores")
spark.sql(open("query.sql").read()).toPandas().to_parquet("spark.parquet")`,
} as const;
const modules = { duckdb: "duckdb", spark: "pyspark" } as const;

/** Two metrics' scores of pairs: some tie, some are missing, some stand without a prompt. */
const rows = Array.from({ length: 4000 }, (_, at) => {
  const score = (of: number) => ((at * 7919 + of * 104_729) % 10_007) / 10_007;
  const [right, wrong] = [score(1), at % 50 === 3 ? score(1) : score(2)];
  return {
    id: `pair ${at >> 1}`,
    metric: `metric-${at % 2}`,
    domain: `domain-${(at >> 4) % 3}`,
    prompt: at % 97 === 0 ? "" : `prompt ${at >> 4}`,
    asDescribed: (at >> 1) % 5 === 0 ? 0 : 1,
    right: at % 41 === 0 ? "" : String(right),
    wrong: String(wrong),
  };
});

const names = {
  contrastive: { right: "correct", wrong: "adversarial" },
  swap: { right: "original", wrong: "swapped" },
} as const;

let directory = "";
const here = async (words: readonly string[]) => {
  const { code, stdout, stderr } = await touchstone(words, { workingDirectory: directory });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "touchstone-warehouse-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe.each(["duckdb", "spark"] as const)("%s", (engine) => {
  const missing = why(modules[engine]);

  test.skipIf(missing !== "").each(["contrastive", "swap"] as const)(
    `sums for %s give the bytes of the rows${missing}`,
    async (name) => {
      const columns = Object.keys(rows[0] ?? {});
      const called = new Map<string, string>(Object.entries(names[name]));
      const lines = rows.map((row) => Object.values(row).join(","));
      const header = columns.map((column) => called.get(column) ?? column).join(",");
      await writeFile(join(directory, "scores.csv"), [header, ...lines, ""].join("\n"));
      const sql = await here(["query", "--print", name, "--dialect", engine]);
      await writeFile(join(directory, "query.sql"), sql);
      const ran = spawnSync(python, ["-c", engines[engine]], { cwd: directory, encoding: "utf8" });
      expect(ran.status, ran.stderr).toBe(0);
      const figures = (file: string) => here(["analyze", name, file, "--json"]);
      expect(await figures(`${engine}.parquet`)).toBe(await figures("scores.csv"));
    },
    300_000,
  );
});

test.skipIf(lacks("sqlglot"))(`every dialect is parsed as one query${why("sqlglot")}`, async () => {
  for (const name of ["contrastive", "swap", "preferences", "correlation"]) {
    for (const dialect of dialectNames) {
      const printed = await touchstone(["query", "--print", name, "--dialect", dialect], {
        workingDirectory: directory,
      });
      await writeFile(join(directory, "query.sql"), printed.stdout);
      const parse = `import sqlglot; print(len(sqlglot.parse(open("query.sql").read(), read="${dialect}")))`;
      const ran = spawnSync(python, ["-c", parse], { cwd: directory, encoding: "utf8" });
      expect(`${name} ${dialect} ${ran.stdout}${ran.stderr}`).toBe(`${name} ${dialect} 1\n`);
    }
  }
});

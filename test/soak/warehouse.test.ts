import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialectNames } from "../../src/conclusions/sums/dialects.js";
import { tausWithin } from "../support/sums-of-rows.js";
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

const most = 4000;
const numberOf = (at: number, of: number) => ((at * 7919 + of * 104_729) % 10_007) / 10_007;
const table = (row: (at: number) => Readonly<Record<string, string | number>>) =>
  Array.from({ length: most }, (_, at) => row(at));

/** Two metrics' scores of pairs: some tie, some are missing, some stand without a prompt. */
const pairs = (right: string, wrong: string) =>
  table((at) => ({
    id: `pair ${at >> 1}`,
    metric: `metric-${at % 2}`,
    domain: `domain-${(at >> 4) % 3}`,
    prompt: at % 97 === 0 ? "" : `prompt ${at >> 4}`,
    asDescribed: (at >> 1) % 5 === 0 ? 0 : 1,
    [right]: at % 41 === 0 ? "" : numberOf(at, 1),
    [wrong]: at % 50 === 3 ? numberOf(at, 1) : numberOf(at, 2),
  }));

/** For each conclusion a table, and the words that it takes. */
const tables: Readonly<
  Record<string, { rows: ReturnType<typeof table>; words?: readonly string[] }>
> = {
  contrastive: { rows: pairs("correct", "adversarial") },
  swap: { rows: pairs("original", "swapped") },
  preferences: {
    rows: table((at) => ({
      a: `model ${at % 3}`,
      b: `model ${(at + 1 + ((at >> 2) % 2)) % 3}`,
      preferred: ["a", "b", "tie", "", "a", "b", "n/a"][(at * 5) % 7] ?? "",
      prompt: `prompt ${(at * 7) % 40}`,
      annotator: `rater ${at % 50}`,
    })),
  },
  // Four images of each model for a prompt; some tie, some have no score, and one model lacks a prompt.
  compare: {
    rows: table((at) => ({
      model: `model ${at % 3}`,
      metric: "clip-score",
      prompt: `prompt ${Math.floor(at / (at % 3 === 2 ? 13 : 12))}`,
      score: at % 41 === 0 ? "" : at % 5 === 0 ? 0.5 : numberOf(at, 3),
    })),
  },
  attributes: {
    rows: table((at) => ({
      image: `image ${at >> 3}`,
      entity: ["shirt", "hat", "Hat"][at % 3] ?? "",
      attribute: `attribute ${at % 8}`,
      kind: at % 4 === 0 ? "reflection" : "leakage",
      probability: at % 83 === 0 ? "" : numberOf(at, 4),
      prompt: at % 97 === 0 ? "" : `prompt ${at >> 5}`,
      annotator: `rater ${(at >> 2) % 2}`,
    })),
  },
  // Five images of each prompt; some have no rating, and of some one metric has no score.
  correlation: {
    rows: table((at) => ({
      id: `image ${at >> 1}`,
      prompt: (at >> 1) % 29 === 0 ? "" : `prompt ${Math.floor(at / 10)}`,
      metric: `metric-${at % 2}`,
      score: at % 41 === 0 ? "" : Math.round(20 * numberOf(at, 9)),
      rating: (at >> 1) % 37 === 0 ? "" : 1 + Math.floor(5 * numberOf(at >> 1, 10)),
    })),
    words: ["--human", "rating", "--group", "prompt"],
  },
  // Six items of each set and phase; some have no answer, and some sets none in one phase.
  stereotypes: {
    rows: table((at) => ({
      query: `query ${Math.floor(at / 48)}`,
      category: `category ${Math.floor(at / 48) % 3}`,
      model: `model ${(at >> 3) % 2}`,
      phase: (at >> 2) % 2 === 0 ? "initial" : "refined",
      imageSet: `set ${(at >> 4) % 3}`,
      item: `item ${at % 4}`,
      present:
        (at >> 2) % 19 === 0 || at % 23 === 0
          ? ""
          : numberOf(at, 8) < ((at >> 2) % 2 === 0 ? 0.6 : 0.3)
            ? 1
            : 0,
    })),
  },
  calibration: {
    rows: table((at) => ({
      id: `answer ${at}`,
      prompt: `prompt ${at >> 6}`,
      label: at % 61 === 0 ? "" : numberOf(at, 5) > 0.4 ? 1 : 0,
      probability: Math.round(10 * numberOf(at, 6)) / 10,
    })),
  },
  agreement: {
    rows: table((at) => ({
      item: `item ${at % 900}`,
      annotator: "",
      value:
        at % 71 === 0 ? "" : 1 + (Math.floor(5 * numberOf((at % 900) >> 1, 7) + at / most) % 5),
    })),
    words: ["--scale", "ordinal"],
  },
};

let directory = "";
const here = async (words: readonly string[]) => {
  const { code, stdout, stderr } = await touchstone(words, { workingDirectory: directory });
  // Of compare's query a note says which rows it takes.
  expect({ code, stderr: words.includes("--print") ? "" : stderr }).toEqual({
    code: 0,
    stderr: "",
  });
  return stdout;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "touchstone-warehouse-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe.each(["duckdb", "spark"] as const)("%s", (engine) => {
  const missing = why(modules[engine]);

  test.skipIf(missing !== "").each(Object.entries(tables))(
    `sums for %s give the bytes of the rows${missing}`,
    async (name, { rows, words = [] }) => {
      const lines = rows.map((row) => Object.values(row).join(","));
      const header = Object.keys(rows[0] ?? {}).join(",");
      await writeFile(join(directory, "scores.csv"), [header, ...lines, ""].join("\n"));
      const sql = await here(["query", "--print", name, "--dialect", engine]);
      await writeFile(join(directory, "query.sql"), sql);
      const ran = spawnSync(python, ["-c", engines[engine]], { cwd: directory, encoding: "utf8" });
      expect(ran.status, ran.stderr).toBe(0);
      const figures = async (file: string) => {
        const verb = name === "compare" ? [name] : ["analyze", name];
        // Only `scores`, which is as long as the table, isn't in sums.
        const { scores, scoresReason, ...found } = JSON.parse(
          await here([...verb, file, ...words, "--json"]),
        );
        // What ranks all rows together isn't in counts of pairs within prompts.
        return name === "correlation" ? tausWithin(found) : JSON.stringify(found);
      };
      expect(await figures(`${engine}.parquet`)).toBe(await figures("scores.csv"));
    },
  );
});

test.skipIf(lacks("duckdb"))(
  `an image on two rows, one of them as described, is refused by its sums as by its rows${why("duckdb")}`,
  async () => {
    const lines = ["1,m,p,0,.5,.1", "1,m,p,1,.4,.2", "2,m,q,1,.3,.1"];
    const header = "id,metric,prompt,asDescribed,original,swapped";
    await writeFile(join(directory, "scores.csv"), [header, ...lines, ""].join("\n"));
    await writeFile(join(directory, "query.sql"), await here(["query", "--print", "swap"]));
    expect(spawnSync(python, ["-c", engines.duckdb], { cwd: directory }).status).toBe(0);
    for (const [file, said] of [
      ["scores.csv", "stands in line 2 already"],
      ["duckdb.parquet", "Expected each id and metric once but 1 row of duckdb.parquet repeated"],
    ] as const) {
      const words = ["analyze", "swap", file];
      const found = await touchstone(words, { workingDirectory: directory });
      expect({ code: found.code, stderr: found.stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining(said),
      });
    }
  },
);

test.skipIf(lacks("sqlglot"))(`every dialect is parsed as one query${why("sqlglot")}`, async () => {
  for (const name of Object.keys(tables)) {
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

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLines } from "../../../../test/support/command-lines.js";
import { duckDbInstalled } from "../../../../test/support/duckdb-installed.js";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { generatedRun } from "../../../../test/support/generated-run.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../main.js";

const isInstalled = duckDbInstalled();
// DuckDB takes 70 MB, so npm ci does not install it: npm install --no-save @duckdb/node-api.

const csv = "id,model,score\n1,a,0.5\n2,a,\n3,b,0.25\n";

test.skipIf(isInstalled)("where DuckDB is missing, what to install is said", async () => {
  const environment = fakeEnvironment({ workingDirectory: await temporaryDirectory() });
  const code = await runCommandLine(["query", "package.json", "SELECT 1"], {
    ...environment,
    workingDirectory: process.cwd(),
  });
  expect(code).toBe(2);
  expect(environment.written.stderr.replace(/\s+/g, " ")).toContain(
    "npm install @duckdb/node-api@",
  );
});

describe("query --print", () => {
  const { run } = commandLines();

  test("prints one SELECT and nothing else, from the table that is named", async () => {
    const { code, stdout, stderr } = await run([
      ...["query", "--print", "contrastive", "--dialect", "spark", "--from", "lake.scores"],
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^WITH read_0 AS \(SELECT/);
    expect(stdout).toContain("FROM lake.scores");
    expect(stdout).not.toContain(";");
  });

  test("says where all rows are needed, and draws whole clusters", async () => {
    const drawn = await run(["query", "--print", "correlation", "--share", "0.5"]);
    expect(drawn.stdout).toBe(
      "SELECT * FROM scores\nWHERE MD5(CAST(prompt AS VARCHAR)) < '80000000'\n",
    );
    expect(drawn.stderr).toContain("correlation needs all rows");
    expect(drawn.stderr).toContain("name no prompt");
    const all = await run(["query", "--print", "correlation", "--share", "1", "--json"]);
    expect(JSON.parse(all.stdout)).toEqual({ sql: "SELECT * FROM scores" });
  });

  test("says that compare's sums read a metric, and how to name one", async () => {
    const of = `(SELECT *, 'clip' AS metric FROM scores) one`;
    const { stderr } = await run(["query", "--print", "compare"]);
    expect(stderr.replace(/\s+/g, " ")).toContain(of.replace("clip", "NAME"));
    expect((await run(["query", "--print", "compare", "--from", of])).stderr).toBe("");
  });

  test("refuses what is no conclusion from such a table", async () => {
    const { code, stderr } = await run(["query", "--print", "contrastiv"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean contrastive?");
    expect((await run(["query"])).code).toBe(2);
  });
});

describe.skipIf(!isInstalled)("query", () => {
  const { put, read, run } = commandLines();
  const rowsOf = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await run(["query", ...words, "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout).rows;
  };

  test("as compare's sums are told to read them, results of one metric by two models stay apart", async () => {
    const rows = ["vqa", "vlm"].flatMap((model) =>
      ["a", "b"].map((input_model) => {
        const fact = {
          metric: "vqa-score",
          model,
          convention: null,
          template: null,
          statistic: "p",
        };
        return { input_model, text: "a cat", value: 0.5, ...fact, baseUrl: null, metricVersion: 1 };
      }),
    );
    await put("scores.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
    const { stderr } = await run(["query", "--print", "compare"]);
    const [, from = ""] =
      /--from "(\(SELECT input_model[^"]+ one)"/.exec(stderr.replace(/\s+/g, " ")) ?? [];
    const { stdout } = await run(["query", "--print", "compare", "--from", from]);
    await run(["query", "scores.jsonl", stdout, "--out", "sums.csv"]);
    for (const table of ["sums.csv", "scores.jsonl"]) {
      const both = await run(["compare", table]);
      expect(both.stderr.replace(/\s+/g, " ")).toMatch(
        /Expected one metric.* vqa.* and .*vlm|vlm.* and .*vqa/,
      );
    }
  });

  test("files are tables by their names, a pattern's by its folder or what is left of it", async () => {
    await put("scores.csv", csv);
    await put("b-1.jsonl", '{"id":1,"n":{"a":[1]}}\n');
    await put("b-2.jsonl", '{"id":2,"n":{"a":[]}}\n');
    expect(
      await rowsOf(
        "scores.csv",
        "SELECT model, count(score) n FROM scores GROUP BY ALL ORDER BY 1",
      ),
    ).toEqual([
      { model: "a", n: 1 },
      { model: "b", n: 1 },
    ]);
    const joined =
      "SELECT s.score, b.n.a AS a, ends_with(filename, 'b-1.jsonl') AS first FROM scores s JOIN b USING (id) ORDER BY id";
    expect(await rowsOf("scores.csv", "b-*.jsonl", joined)).toEqual([
      { score: 0.5, a: [1], first: true },
      { score: null, a: [], first: false },
    ]);
    const listed = await run(["query", "scores.csv", "b-*.jsonl", "--tables", "--json"]);
    expect(JSON.parse(listed.stdout).tables).toMatchObject([
      {
        name: "scores",
        columns: [{ name: "id", type: "BIGINT" }, { name: "model" }, { name: "score" }],
      },
      { name: "b" },
    ]);
  });

  test("a run's records are tables, the same from the run and from its export", async () => {
    const folder = await temporaryDirectory();
    const made = await generatedRun(join(folder, "run"), { images: 8, side: 8, metrics: 2 });
    const line = async (...words: readonly string[]) => {
      const environment = fakeEnvironment({ workingDirectory: folder });
      const code = await runCommandLine(words, environment);
      expect({ code, stderr: environment.written.stderr }).toMatchObject({ code: 0 });
      return environment.written.stdout;
    };
    await line("run", "export", "run", "--parquet", "--out", "tables");
    const sql =
      "SELECT metric, count(*) AS n, count(value) AS scored, sum(value) AS sum FROM scores JOIN images i ON i.key = scores.of " +
      "GROUP BY metric ORDER BY metric";
    const found = JSON.parse(await line("query", "run", sql, "--json"));
    expect(JSON.parse(await line("query", "tables", sql, "--json"))).toEqual(found);
    for (const { metric, n, scored } of found.rows) {
      const its = made.scores.filter((score) => score.metric === metric);
      expect([n, scored]).toEqual([
        its.length,
        its.filter(({ status }) => status === "done").length,
      ]);
    }
    // Lines that are read where they lie are the cells, types and columns that an export has.
    for (const table of ["prompts", "images", "scores"]) {
      for (const each of ["SELECT * EXCLUDE (run)", "SUMMARIZE SELECT * EXCLUDE (run)"]) {
        const every = `${each} FROM ${table} ORDER BY ALL`;
        const [own, exported] = [
          await line("query", "run", every),
          await line("query", "tables", every),
        ];
        expect(own.replace(/\n\nNext:.*/s, "")).toBe(exported.replace(/\n\nNext:.*/s, ""));
        expect(own).not.toBe("");
      }
    }
    // A run and an export of one are asked together.
    const models = "SELECT DISTINCT input_model FROM scores WHERE input_model IS NOT NULL";
    const { rows: painters } = JSON.parse(await line("query", "run", "tables", models, "--json"));
    expect(painters).toEqual([{ input_model: made.images[0]?.model }]);
    const all = 'SELECT count(*) AS n, count(DISTINCT "table") AS tables FROM records';
    expect(JSON.parse(await line("query", "run", all, "--json")).rows).toEqual([
      { n: made.prompts.length + made.images.length + made.scores.length, tables: 3 },
    ]);
    expect(await line("query", "tables", "--tables")).toMatch(/^scores +run, step, key/m);
  });

  test("prints a table of the first rows, and writes all of them", async () => {
    await put("scores.csv", csv);
    const { stdout } = await run(["query", "scores.csv", "FROM scores", "--rows", "2"]);
    expect(stdout).toMatch(/^id +model +score\n/);
    expect(stdout).toContain("The first 2 rows; --rows N prints more.");
    for (const ending of ["csv", "jsonl", "parquet"]) {
      const out = `out.${ending}`;
      const words = ["query", "scores.csv", "FROM scores ORDER BY id; ", "--out", out];
      expect(await run(words)).toMatchObject({ code: 0 });
      expect(await rowsOf(out, "FROM out ORDER BY id")).toEqual([
        { id: 1, model: "a", score: 0.5 },
        { id: 2, model: "a", score: null },
        { id: 3, model: "b", score: 0.25 },
      ]);
    }
    expect(await read("out.csv")).toBe(csv);
    expect(await run(["query", "scores.csv", "SELECT 1 WHERE false"])).toMatchObject({ code: 0 });
  });

  test.each([
    ["SELECT * FROM read_csv('/etc/passwd')", "Cannot access file"],
    ["SELECT * FROM read_text('FOLDER/secret.txt')", "Cannot access file"],
    ["SELECT * FROM glob('/etc/*')", "Cannot access file"],
    ["SELECT * FROM 'FOLDER/secret.csv'", "Cannot access file"],
    ["COPY scores TO 'FOLDER/stolen.csv'", "Cannot access"],
    ["COPY (SELECT 1) TO 'FOLDER/scores.csv'", "Expected one SELECT"],
    ["EXPLAIN ANALYZE COPY (SELECT 1) TO 'FOLDER/scores.csv'", "Expected one SELECT"],
    ["CREATE TABLE t AS SELECT 1", "Expected one SELECT"],
    ["SELECT 1; SELECT 2", "Expected one SELECT"],
    ["SET memory_limit = '1TB'", "Expected one SELECT"],
    ["INSTALL httpfs", "Expected one SELECT"],
    ["LOAD httpfs", "Expected one SELECT"],
    ["ATTACH 'new.db'", "Expected one SELECT"],
    ["SELECT * FROM query('COPY (SELECT 1) TO ''FOLDER/scores.csv''')", "DuckDB says"],
    ["SELEC 1", 'syntax error at or near "SELEC"'],
    ["", "Expected one SELECT"],
    ["SELECT modle FROM scores", 'Candidate bindings: "model"'],
  ])("refuses, and changes nothing: %s", async (sql, message) => {
    const folder = await temporaryDirectory();
    const scores = join(folder, "scores.csv");
    await writeFile(scores, csv);
    await writeFile(join(folder, "secret.txt"), "secret");
    const environment = fakeEnvironment({ workingDirectory: folder });
    const asked = sql.replaceAll("FOLDER", folder);
    expect(await runCommandLine(["query", "scores.csv", asked], environment)).toBe(2);
    const { stdout, stderr } = environment.written;
    expect(stdout).toBe("");
    expect(stderr.replace(/\s+/g, " ")).toContain(message);
    expect((await readdir(folder)).sort()).toEqual(["scores.csv", "secret.txt"]);
    expect(await readFile(scores, "utf8")).toBe(csv);
  });

  test("refuses what is no source", async () => {
    await put("scores.csv", csv);
    await put("notes.txt", "");
    for (const [words, message] of [
      [["scores.csv"], "Expected a run or files, and a query"],
      [["notes.txt", "SELECT 1"], "Expected files of one kind"],
      [["missing.csv", "SELECT 1"], "Could not read missing.csv"],
      [[".", "SELECT 1"], "Expected a run, a folder of run export or files"],
      [["scores.csv", "./scores.csv", "./scores.csv", "SELECT 1"], "two are called scores"],
      [["scores.csv", "SELECT 1", "--out", "scores.csv"], "Expected another file than the input"],
      [["scores.csv", "SELECT 1", "--out", "a.txt"], "Expected a file that ends in .csv"],
      [["scores.csv", "SELECT 1", "--memory", "4"], "Expected a size such as 4GB"],
    ] as const) {
      const { code, stderr } = await run(["query", ...words]);
      expect(code).toBe(2);
      expect(stderr.replace(/\s+/g, " ")).toContain(message);
    }
  });

  test("what does not fit into memory goes to the disk, and leaves nothing behind", async () => {
    const sql =
      "SELECT count(*) AS n FROM (SELECT range, hash(range) AS h FROM range(3000000) ORDER BY h LIMIT 2900000)";
    await put("scores.csv", csv);
    expect(await rowsOf("scores.csv", sql, "--memory", "40MB")).toEqual([{ n: 2_900_000 }]);
  });
});

import { execFileSync, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { type Ended, touchstone } from "../support/touchstone.js";
import { csvOf, tableVerbs } from "./verbs.js";

const [contrastive] = tableVerbs;
const csv = contrastive === undefined ? "" : csvOf(contrastive);
const analyze = (
  workingDirectory: string,
  file: string,
  more: Parameters<typeof touchstone>[1] = {},
) => touchstone(["analyze", "contrastive", file], { workingDirectory, ...more });

/** One message for a person, nothing else. */
function expectRefused({ code, stdout, stderr }: Ended, message: RegExp) {
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.replace(/\s+/g, " ")).toMatch(message);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr.length).toBeLessThan(2000);
}

describe("where a table should be", () => {
  test("nothing is", async () => {
    const folder = await temporaryDirectory();
    expectRefused(
      await analyze(folder, "scores.csv"),
      /Could not read scores.csv: there is no such/,
    );
  });

  test("a folder is", async () => {
    const folder = await temporaryDirectory();
    await mkdir(join(folder, "scores.csv"));
    expectRefused(await analyze(folder, "scores.csv"), /scores.csv is a folder/);
  });

  test("a part of the path is a file", async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, "a"), "");
    expectRefused(await analyze(folder, "a/scores.csv"), /Could not read a\/scores.csv/);
  });

  test("a name is that is too long", async () => {
    const folder = await temporaryDirectory();
    expectRefused(await analyze(folder, `${"x".repeat(300)}.csv`), /the name is too long/);
  });

  test.skipIf(process.platform === "win32")("a link goes round in a circle", async () => {
    const folder = await temporaryDirectory();
    await symlink("scores.csv", join(folder, "scores.csv"));
    expectRefused(await analyze(folder, "scores.csv"), /Could not read scores.csv/);
  });

  // The superuser may read everything.
  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "a file is that may not be read",
    async () => {
      const folder = await temporaryDirectory();
      await writeFile(join(folder, "scores.csv"), csv);
      await chmod(join(folder, "scores.csv"), 0);
      expectRefused(await analyze(folder, "scores.csv"), /the permission is missing/);
    },
  );

  test.skipIf(process.platform === "win32")("a pipe is: it is read to its end", async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, "scores.csv");
    execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
    const ended = analyze(folder, "scores.csv");
    const pipe = createWriteStream(path);
    pipe.end(csv);
    await finished(pipe);
    expect((await ended).code).toBe(0);
  });

  test.skipIf(process.platform === "win32")("a pipe with doubled rows is read once", async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, "scores.csv");
    execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
    const ended = analyze(folder, "scores.csv");
    const pipe = createWriteStream(path);
    pipe.end(`${csv.trimEnd()}\n${csv.trimEnd().split("\n").at(-1)}\n`);
    await finished(pipe);
    expectRefused(await ended, /stands in line \d+ already/);
  });

  test("standard input ends at once", async () => {
    const folder = await temporaryDirectory();
    expectRefused(await analyze(folder, "-"), /Expected rows in standard input but it has none/);
    expectRefused(await analyze(folder, "-", { stdin: "\n" }), /Expected rows in standard input/);
  });

  test("standard input is closed before it is opened", async () => {
    const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));
    const child = spawn(process.execPath, [bin, "analyze", "contrastive", "-"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    expectRefused({ code, stdout: "", stderr }, /Expected rows in standard input/);
  });

  test("standard input says by its first bytes what it is", async () => {
    const folder = await temporaryDirectory();
    const json = '[{"id":1,"metric":"m","domain":"d","correct":1,"adversarial":0}]';
    expect((await analyze(folder, "-", { stdin: json })).code).toBe(0);
    expect((await analyze(folder, "-", { stdin: json.slice(1, -1) })).code).toBe(0);
    expect((await analyze(folder, "-", { stdin: csv })).code).toBe(0);
    expectRefused(await analyze(folder, "-", { stdin: "PAR1" }), /Expected a Parquet table/);
  });
});

describe("a line of 200 MB", () => {
  const variables = { NODE_OPTIONS: "--max-old-space-size=128" };
  const starts = {
    "scores.jsonl": '{"id":"',
    "scores.csv": "",
    "quoted.csv": `${csv}"`,
    "row.csv": csv,
    "scores.json": '["',
  };
  test.each(Object.entries(starts))("in %s is refused in little memory", async (file, start) => {
    const folder = await temporaryDirectory();
    const stream = createWriteStream(join(folder, file));
    stream.write(start);
    const megabyte = "x".repeat(1_000_000);
    for (let written = 0; written < 200; written++) stream.write(megabyte);
    stream.end();
    await finished(stream);
    const ended = await analyze(folder, file, { variables });
    expectRefused(ended, /Expected a (row|JSON document) of at most \d+ million characters/);
    if (!file.endsWith("json")) {
      expect(ended.stderr.replace(/\s+/g, " ")).toMatch(/\(in [a-z]+\.(jsonl|csv), line \d+\)/);
    }
  });
});

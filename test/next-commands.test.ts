import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { runCommandLine } from "../src/cli/main.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { nextCommandsIn, parsedNext } from "./support/next-commands.js";
import { sampleCommands } from "./support/sample-commands.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

const samples = await sampleCommands();

// check-next-commands.ts reads what all tests print; here is that it can fail, and that every folder
// and file may have a name with blanks.

describe("a suggested command line", () => {
  test.each([
    ["touchstone report 'my run'", ["report"]],
    ["touchstone example card | touchstone card -", ["example", "card"]],
    ["OPENAI_BASE_URL=http://h/v1 touchstone score --image a.png --text 'a | b'", ["score"]],
    ["touchstone analyze contrastive s.csv --out failures.html", ["analyze contrastive"]],
  ])("is read as the command line reads it: %s", async (line, verbs) => {
    expect(nextCommandsIn(`a table\n\n\u001b[2mNext:\u001b[22m ${line}\n`)).toEqual([line]);
    expect(await parsedNext(line)).toEqual(verbs);
  });

  test.each([
    ["touchstone report my run", "at most 1 argument"],
    ["touchstone reprot run", "Did you mean report?"],
    ["touchstone analyze", "Expected a verb after touchstone analyze"],
    ["touchstone run explain 3fa --ran run", "Did you mean --run?"],
    ["touchstone run explain 3fa", "Expected --run"],
    ["touchstone score --image a.png --text --json", "Expected a value for --text"],
    ["other report run", "Expected touchstone"],
  ])("is refused where it would be: %s", async (line, message) => {
    const error: unknown = await parsedNext(line).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    const { message: said, hint = "" } = error as Error & { readonly hint?: string };
    expect(`${said} ${hint}`).toContain(message);
  });
});

describe("in a folder with a blank in its name", () => {
  let directory: string;
  const run = async (...words: readonly string[]) => {
    const environment = fakeEnvironment({ workingDirectory: directory });
    const code = await runCommandLine(words, environment);
    expect({ code, stderr: environment.written.stderr }).toMatchObject({ code: 0 });
    return nextCommandsIn(`${environment.written.stdout}\n${environment.written.stderr}`);
  };
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });

  test("verbs of runs lead from one to the next", async () => {
    const name = "my run";
    const built = ["build", "--benchmark", "attribute-confusion", "--prompts", "1"];
    expect(await run(...built, "--run", name)).toEqual([
      "touchstone generate --run 'my run' --model lab:painter-c --samples 1",
    ]);
    const generated = ["generate", "--run", name, "--model", "lab:painter-c", "--samples", "1"];
    expect(await run(...generated, "--wanted", "wanted.csv")).toEqual([
      "touchstone generate --run 'my run' --model folder:./images --samples 1",
    ]);
    expect(await run(...generated)).toEqual([
      "touchstone score 'my run' --model lab:vqa --model lab:dual-encoder-skewed",
    ]);
    await writeFile(
      join(directory, "grey.mjs"),
      `export default { name: "grey", range: [0, 1], direction: "higher", score: async () => 0.5 };`,
    );
    expect(await run("score", name, "--metric", "./grey.mjs")).toEqual([
      "touchstone report 'my run'",
    ]);
    expect(await run("run", "verify", name)).toEqual(["touchstone run status 'my run'"]);
    expect(await run("run", "status", name)).toEqual(["touchstone report 'my run'"]);
    expect(await run("report", name, "--tables", "my tables")).toEqual([
      "touchstone card 'my tables/swap.csv'",
    ]);
    const records = join(directory, name, "records");
    const last = (await readdir(records)).sort().at(-1) ?? "";
    const [line = ""] = (await readFile(join(records, last), "utf8")).split("\n");
    const { key } = JSON.parse(line);
    expect(await run("run", "explain", key, "--run", name)).toEqual(["touchstone report 'my run'"]);
    expect(await run("run", "resume", name)).toEqual(["touchstone report 'my run'"]);
  });

  const afterwards: Readonly<Record<string, RegExp>> = {
    // A comparison that was written is the gate of the next one.
    compare: / --baseline 'my conclusion\.json'/,
    card: / --out card\.html$/,
  };
  test.each(samples)("$path says how to write its conclusion, then what is new", async (each) => {
    const { path, name, flags, quick, sample } = each;
    const table = `my ${name}.csv`;
    await writeFile(join(directory, table), sample);
    const words = [...path.split(" "), table, ...flags, ...quick];
    const [page = ""] = await run(...words);
    expect(await parsedNext(page)).toEqual([path]);
    expect(page).toContain(`'${table}'`);
    const [next = ""] = await run(...words, "--out", "my conclusion.json");
    expect(next).toMatch(afterwards[name] ?? / --details$/);
    expect(await parsedNext(next)).toEqual([path]);
  });

  test("prompts of a pool of one's own are asked for by that pool", async () => {
    const pool = "my pool.yaml";
    const own = new URL("../data/prompts/pairwise.yaml", import.meta.url);
    await writeFile(join(directory, pool), await readFile(own));
    for (const words of [
      ["lint", pool],
      ["list", "--pool", pool],
      ["sample", "2", "--pool", pool],
    ]) {
      const [next = ""] = await run("judge", "prompts", ...words);
      expect(next).toContain("--pool 'my pool.yaml'");
      expect(await parsedNext(next)).toHaveLength(1);
    }
  });

  test("an audit is looked over before it is run", async () => {
    await mkdir(join(directory, "my audits"));
    const config = "generators: [lab:painter-slight]\njudge: lab:auditor\n";
    await writeFile(join(directory, "my audits", "a.yaml"), config);
    expect(await run("audit", "my audits/a.yaml", "--lint", "--run", "my audit")).toEqual([
      "touchstone audit 'my audits/a.yaml' --run 'my audit'",
    ]);
  });

  test("the verbs without a table or run lead on", async () => {
    expect(await run("example")).toEqual(["touchstone example contrastive"]);
    expect(await run("example", "compare")).toEqual([
      "touchstone example compare | touchstone compare -",
    ]);
    expect(await run("doctor", "init")).toEqual(["touchstone doctor"]);
  });
});

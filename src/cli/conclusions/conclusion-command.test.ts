import { describe, expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";
import { nextCommandsIn } from "../../../test/support/next-commands.js";
import { snappyTable } from "../../../test/support/parquet-tables.js";
import { sampleCommands } from "../../../test/support/sample-commands.js";
import { conclusions } from "../../conclusions/conclusions.js";
import { wordsOf } from "../command-line/shell-words.js";
import { displayWidth } from "../terminal/wrap.js";

/** What is known of one conclusion beside what holds for all: there it is tried, too. */
interface Facts {
  /** Flags that make it quick, beside fewer resamples and permutations. */
  readonly quick?: readonly string[];
  /** Keys of --json beside those of all. */
  readonly keys?: readonly string[];
  /** Columns without which its table is refused, where they are not those that tell such a table. */
  readonly columns?: readonly string[];
  /** A cell that no row may have. */
  readonly bad?: readonly [column: string, cell: string, expected: string];
  /** A row without any answer, by the cells that say so. */
  readonly silent?: Readonly<Record<string, string>>;
  /** Flags that a table without any answer needs. */
  readonly silentFlags?: readonly string[];
  /** Where that is refused: there is nothing to fit. */
  readonly silentError?: string;
  /** A name in the sample that the text shows, if any is. */
  readonly name?: string;
}

const facts: Readonly<Record<string, Facts>> = {
  contrastive: {
    keys: ["metrics", "tieRule"],
    bad: ["correct", "x", "a number or nothing"],
    silent: { correct: "", adversarial: "" },
    name: "clip-score",
  },
  swap: {
    keys: ["metrics", "tieRule"],
    bad: ["original", "x", "a number or nothing"],
    silent: { original: "", swapped: "" },
    name: "clip-score",
  },
  correlation: {
    keys: ["human", "metrics"],
    columns: ["rating"],
    bad: ["rating", "x", "a number or nothing"],
    silent: { "clip-score": "", "vqa-score": "" },
    silentFlags: ["--metrics", "clip-score"],
    name: "clip-score",
  },
  preferences: {
    keys: ["ties", "models", "pairs", "firstShown", "intervals"],
    bad: ["preferred", "up", "a, b, tie, the preferred model's name or nothing"],
    silent: { preferred: "" },
    name: "painter-a",
  },
  agreement: {
    columns: ["item", "value"],
    keys: [
      "items",
      "annotators",
      "ratings",
      "majorityShare",
      "pairwise",
      "fleissKappa",
      "krippendorffAlpha",
    ],
    silent: { value: "" },
    name: "Ben",
  },
  calibration: {
    keys: [
      "ties",
      "accuracy",
      "accuracyHalfCredit",
      "f1",
      "kappa",
      "rocAuc",
      "averagePrecision",
      "brier",
      "nll",
      "ece",
      "mce",
      "bins",
      "coverage",
      "intervalsOf",
    ],
    bad: ["probability", "1.2", "a number from 0 to 1 or nothing"],
    silent: { probability: "" },
  },
  attributes: {
    keys: ["threshold", "pooled", "imageMean", "images"],
    bad: ["kind", "leak", "reflection or leakage"],
    silent: { probability: "" },
    name: "outfit-4.png",
  },
  stereotypes: {
    keys: ["categories", "overall", "judge"],
    bad: ["phase", "before", "initial or refined"],
    silent: { present: "" },
    name: "painter-a",
  },
  ensemble: {
    quick: ["--objective", "global-entropy"],
    keys: ["methods", "tests"],
    bad: ["split", "train", "validation or test or support"],
    silent: { probabilities: "[null, null, null, null, null]" },
    silentError: "Expected rows of split test with a label and an answer but found none",
  },
  significance: {
    keys: ["tests"],
    bad: ["label", "2", "0, 1 or nothing"],
    silent: { probability: "" },
    name: "coin",
  },
  compare: {
    keys: ["models", "pairs", "humanCorrected"],
    bad: ["score", "x", "a number or nothing"],
    silent: { score: "" },
    name: "painter-a",
  },
  "label-plan": {
    keys: ["chosen", "round", "expected", "labelsSaved", "useful", "strata"],
    columns: ["model", "prompt", "score"],
    bad: ["score", "x", "a number or nothing"],
    silent: { score: "" },
    name: "painter-a",
  },
  "judge-check": {
    keys: [
      "unparsed",
      "answers",
      "constant",
      "firstShown",
      "consistency",
      "accuracy",
      "accuracyParsed",
      "baseline",
      "againstBaseline",
      "findings",
    ],
    bad: ["human", "up", "a, b, tie or nothing"],
  },
};

const samples = await sampleCommands();
const listed = samples.filter(({ isPlain }) => isPlain);
const loaded = new Map(
  await Promise.all(
    conclusions.map(
      async ({ name, tells, load }) => [name, { ...(await load()).default, tells }] as const,
    ),
  ),
);

test("every conclusion has a sample that it takes as it is", () => {
  const names = new Set(samples.map(({ name }) => name));
  expect(conclusions.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  expect(names.size).toBeGreaterThan(10);
});

const inOneLine = (text: string) => text.replace(/\s+/g, " ");

describe.each(listed)("$path", ({ path, name: example, flags, quick: fewer }) => {
  const { put, read, names, run } = commandLines();
  const verb = facts[example] ?? {};
  const quick = [...fewer, ...(verb.quick ?? [])];
  const { tells, arguments: options = {}, hasFigure = true } = loaded.get(example) ?? {};
  const columns = verb.columns ?? Object.keys(tells?.columns ?? {});
  const sample = async (...words: readonly string[]) =>
    (await run(["example", example, ...words])).stdout;
  type Row = Readonly<Record<string, unknown>>;
  const rows = async (): Promise<Row[]> => JSON.parse(await sample("--json")).rows;
  const jsonl = (all: readonly Row[]) => all.map((row) => `${JSON.stringify(row)}\n`).join("");
  const conclude = (table: string | Uint8Array, ...more: readonly string[]) =>
    run([...path.split(" "), "-", ...flags, ...quick, ...more], table);
  const json = async (table: string, ...more: readonly string[]) => {
    const { code, stdout, stderr } = await conclude(table, "--json", ...more);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };

  /** What the sample comes to. */
  let known: Promise<string> | undefined;
  const expectedJson = () => {
    known ??= sample().then((table) => json(table));
    return known;
  };

  test("--json holds the promised keys, whatever the table's form", async () => {
    const expected = await expectedJson();
    const found = JSON.parse(expected);
    for (const key of ["n", "unscored", "warnings", "verdict", ...(verb.keys ?? [])]) {
      expect(found).toHaveProperty(key);
    }
    expect(await json(await sample("--format", "jsonl"))).toBe(expected);
    const document = JSON.stringify({ data: { rows: await rows() } });
    expect(await json(document, "--format", "json", "--rows", "data.rows.*")).toBe(expected);
    const [header = "", ...lines] = (await sample("--format", "jsonl")).split("\n");
    expect(await json([header, ...lines].join("\r\n"))).toBe(expected);
  });

  test("several files, or a pattern, are read as one table in the order of their names", async () => {
    const [header = "", ...lines] = (await sample("--format", "csv")).trimEnd().split("\n");
    // An entry in quotation marks has no line end in the samples.
    const half = Math.ceil(lines.length / 2);
    await put("part-1.csv", [header, ...lines.slice(0, half), ""].join("\n"));
    await put("part-2.jsonl", jsonl((await rows()).slice(half)));
    const words = ["--json", ...flags, ...quick];
    const whole = await expectedJson();
    for (const files of [["part-2.jsonl", "part-1.csv"], ["part-*"]]) {
      const { code, stdout, stderr } = await run([...path.split(" "), ...files, ...words]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toBe(whole);
    }
  });

  test.runIf("seed" in options)(
    "the seed is in what is concluded, and the same seed concludes the same",
    async () => {
      const table = await sample();
      const seeded = await json(table, "--seed", "7");
      const { seed, intervals } = JSON.parse(seeded);
      expect(seed ?? intervals.seed).toBe(7);
      expect(await json(table, "--seed", "7")).toBe(seeded);
      expect(await expectedJson()).not.toBe(seeded);
    },
  );

  test("text begins with the verdict, fits 100 columns, and its next command runs", async () => {
    const table = await sample();
    await put("my table.csv", table);
    const words = [...path.split(" "), "my table.csv", ...flags, ...quick];
    const { code, stdout, stderr } = await run(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    const { verdict } = JSON.parse(await expectedJson());
    expect(inOneLine(stdout).startsWith(inOneLine(verdict))).toBe(true);
    // One sentence, at most 25 words, at most one interval.
    expect(verdict.replace(/\[.*?\]/, "[]").split(/\s+/).length, verdict).toBeLessThanOrEqual(25);
    expect(verdict.match(/\[/g)?.length ?? 0, verdict).toBeLessThanOrEqual(1);
    expect(verdict, verdict).not.toMatch(/\. [A-Z]/);
    // The command stands in one line, however long.
    expect(Math.max(...lines.slice(0, -1).map(displayWidth))).toBeLessThanOrEqual(100);
    const [next = ""] = nextCommandsIn(stdout);
    expect(
      wordsOf(next)
        .slice(1, words.length + 1)
        .sort(),
    ).toEqual([...words].sort());
    expect(await run(wordsOf(next).slice(1))).toMatchObject({ code: 0 });
    expect((await names()).length).toBe(2);
  });

  test("the sample names the command that reads it", async () => {
    const { stdout, stderr } = await run(["example", example]);
    const [next = ""] = nextCommandsIn(stderr);
    const [, reader = ""] = next.split(" | ");
    const words = [...wordsOf(reader).slice(1), ...quick];
    expect((await run(words, stdout)).code).toBe(0);
  });

  test.runIf(columns.length > 0)("--map reads a column of another name", async () => {
    const [column = ""] = columns;
    const renamed = (await rows()).map(({ [column]: cell, ...row }) => ({
      "my name": cell,
      ...row,
    }));
    const map = ["--map", `${column}=my name`];
    expect(await json(jsonl(renamed), ...map)).toBe(await expectedJson());
  });

  test.runIf(verb.silent)("--unscored names the words that mean no answer", async () => {
    const columns = Object.keys(verb.silent ?? {});
    const table = (await rows()).map((row) => ({
      ...row,
      ...Object.fromEntries(columns.map((name) => [name, row[name] ?? "n/a"])),
    }));
    expect(await json(jsonl(table), "--unscored", "n/a")).toBe(await expectedJson());
  });

  test.each(columns)("a table without the column %s is refused", async (column) => {
    const table = jsonl((await rows()).map(({ [column]: _, ...row }) => row));
    const { code, stdout, stderr } = await conclude(table, "--out", "out.json");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(inOneLine(stderr)).toMatch(new RegExp(`Expected the column ${column} in|${column}`));
    expect(await names()).toEqual([]);
  });

  test.runIf(verb.bad)(
    "bad rows are listed up to 20, in text and JSON, and nothing is written",
    async () => {
      const [column, cell, expected] = verb.bad ?? ["", "", ""];
      const bad = (await rows()).map((row) => ({ ...row, [column]: cell }));
      const table = [...bad, ...bad, ...bad];
      const { code, stdout, stderr } = await conclude(jsonl(table), "--out", "out.json");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(inOneLine(stderr)).toContain(`Expected ${expected} for ${column}`);
      expect(stderr.match(/^ {2}- /gm)).toHaveLength(20);
      expect(stderr).toContain(`  and ${table.length - 20} more\n`);
      const { error } = JSON.parse((await conclude(jsonl(table), "--json")).stderr);
      expect(error).toMatchObject({ code: "input", problemCount: table.length });
      expect(error.problems).toHaveLength(20);
      expect(await names()).toEqual([]);
    },
  );

  test.each(["", "\n", "{}\n"])("a table without rows (%j) is refused", async (table) => {
    const { code, stdout, stderr } = await conclude(table);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^Error: Expected/);
  });

  test.runIf(verb.silent)(
    "where nothing is answered nothing is concluded, and no number is made up",
    async () => {
      const silent = jsonl((await rows()).map((row) => ({ ...row, ...verb.silent })));
      const more = verb.silentFlags ?? [];
      if (verb.silentError !== undefined) {
        const { code, stderr } = await conclude(silent);
        expect(code).toBe(2);
        expect(inOneLine(stderr)).toContain(verb.silentError);
        return;
      }
      const { verdict, n } = JSON.parse(await json(silent, ...more));
      expect(verdict).toMatch(/^Nothing can be concluded/);
      expect(n).toBe(0);
      const plot = hasFigure ? ["--plot", "plot.svg"] : [];
      const { code, stdout, stderr } = await conclude(silent, ...more, ...plot);
      expect(code, stderr).toBe(0);
      expect(`${stdout}${hasFigure ? await read("plot.svg") : ""}`).not.toMatch(/NaN|Infinity/);
    },
  );

  test("--out writes each form, --plot the picture", async () => {
    const table = await sample();
    for (const [out, plot] of [
      ["out.json", "plot.svg"],
      ["out.csv", "plot.png"],
      ["out.md"],
      ["out.html"],
    ]) {
      const drawn = plot === undefined || !hasFigure ? [] : ["--plot", plot];
      const files = ["--out", out ?? "", ...drawn];
      const { code, stdout, stderr } = await conclude(table, ...files);
      expect(code, stderr).toBe(0);
      expect(stderr).toContain(`Wrote ${out}\n`);
      // A comparison that was written is the gate of the next one.
      const isGate = path === "compare" && out === "out.json";
      expect(nextCommandsIn(stdout).join()).toContain(isGate ? `--baseline ${out}` : "--details");
    }
    expect(await read("out.json")).toBe(await json(table));
    const [header = [], ...lines] = (await read("out.csv")).trimEnd().split("\n").map(cellsOf);
    expect(new Set(header).size).toBe(header.length);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toHaveLength(header.length);
    const { verdict } = JSON.parse(await json(table));
    const markdown = await read("out.md");
    expect(markdown.startsWith("**")).toBe(true);
    expect(markdown).toContain(`Made by \`touchstone ${path} -`);
    const page = await read("out.html");
    if (hasFigure) expect(page).toContain("<svg");
    expect(inOneLine(page)).toContain(inOneLine(verdict).slice(0, 20).replace("'", "&#39;"));
    if (hasFigure) expect(await read("plot.svg")).toMatch(/^<svg /);
  });

  test("a file of another ending is refused before anything is read", async () => {
    const { code, stderr } = await run([...path.split(" "), "no.csv", ...flags, "--out", "a.pdf"]);
    expect(code).toBe(2);
    expect(stderr).toContain(".json, .csv, .parquet, .md or .html for --out");
  });

  test("--out never replaces the table", async () => {
    const table = await sample();
    await put("keep.csv", table);
    const words = [...path.split(" "), "keep.csv", ...flags, ...quick, "--out", "./keep.csv"];
    const { code, stderr } = await run(words);
    expect(code).toBe(2);
    expect(stderr).toContain("Expected another file than the input for --out");
    expect(await read("keep.csv")).toBe(table);
  });

  test.runIf(verb.name)("a name is no markup, and can't steer a terminal", async () => {
    const { name = "" } = verb;
    const hostile = `${name}\u001b[31m\u009b|<blink>\u202e`;
    const table = (await sample()).replaceAll(name, hostile);
    const texts = [(await conclude(table, "--details")).stdout];
    for (const out of ["out.md", "out.html"]) {
      expect((await conclude(table, "--out", out)).code).toBe(0);
      texts.push(await read(out));
    }
    expect(texts[1]).not.toMatch(/[^\\]\|<blink>/);
    expect(texts[2]).not.toContain("<blink>");
    for (const text of texts) {
      expect(text).toContain("\\u001b");
      for (const hidden of ["\u001b", "\u009b", "\u202e"]) expect(text).not.toContain(hidden);
    }
  });
});

/** Cells of a line of CSV without line ends in cells. */
const cellsOf = (line: string) =>
  [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell]) => cell);

describe("a Parquet table", () => {
  const { run } = commandLines();

  test("on standard input is concluded from", async () => {
    const words = ["analyze", "contrastive", "-", "--resamples", "100", "--json"];
    const { code, stdout } = await run(words, snappyTable);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ n: 2, unscored: 1 });
  });
});

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAuditRun } from "../../../test/report/audit-run.js";
import { touchstoneHere } from "../../../test/support/touchstone-here.js";
import { labellingLogic } from "./labelling-sheet.js";

interface SheetData {
  readonly sheet: string;
  readonly expert?: string;
  readonly rubrics: Readonly<Record<string, readonly { readonly item: string }[]>>;
  readonly sets: readonly {
    readonly id: string;
    readonly query: string;
    readonly rubric: string;
    readonly images: readonly number[];
  }[];
  readonly images: readonly string[];
}

type Answers = Record<string, Record<string, string>>;

/** Globals of the page's script, without a page. */
interface Logic {
  csvOf(data: SheetData, expert: string, answers: Answers): string;
  answersOf(
    data: SheetData,
    expert: string,
    text: string,
  ): { answers: Answers; count: number; problems: string[] };
  nextOpen(data: SheetData, answers: Answers, from: number): number;
}

const logic = new Function(`${labellingLogic}; return { csvOf, answersOf, nextOpen };`)() as Logic;

let directory = "";
let page = "";
let data: SheetData;

async function touchstone(...words: readonly string[]) {
  return touchstoneHere(words, { workingDirectory: directory });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "touchstone-"));
  await makeAuditRun(join(directory, "run"), { count: 4, trials: 1 });
  const made = await touchstone("study", "page", "run", "--out", "sheet.html", "--sets", "18");
  expect(made).toMatchObject({ code: 0 });
  page = await readFile(join(directory, "sheet.html"), "utf8");
  data = JSON.parse(
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? "",
  );
});
afterAll(() => rm(directory, { recursive: true }));

/** Everything answered by a rule. */
const answered = (rule: (set: string, item: string) => string): Answers =>
  Object.fromEntries(
    data.sets.map(({ id, rubric }) => [
      id,
      Object.fromEntries((data.rubrics[rubric] ?? []).map(({ item }) => [item, rule(id, item)])),
    ]),
  );

describe("a labelling sheet", () => {
  it("shows every set with its images, and nothing of who made them", () => {
    expect(data.sets).toHaveLength(18);
    for (const { images } of data.sets) expect(images).toHaveLength(3);
    expect(Object.keys(data.rubrics)).toHaveLength(3);
    for (const hidden of ["painter", "refined", "initial", "nothing stands out", "test:"]) {
      expect(JSON.stringify({ ...data, images: [] })).not.toContain(hidden);
    }
    for (const image of data.images) expect(image).toMatch(/^data:image\/webp;base64,/);
  });

  it("asks nothing of a network and runs no script but its own", () => {
    expect(page).toContain("default-src &#39;none&#39;");
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it("is the same file for the same seed, and another sample for another", async () => {
    await touchstone("study", "page", "run", "--out", "again.html", "--sets", "18");
    expect(await readFile(join(directory, "again.html"), "utf8")).toBe(page);
    await touchstone("study", "page", "run", "--out", "other.html", "--sets", "18", "--seed", "1");
    expect(await readFile(join(directory, "other.html"), "utf8")).not.toContain(data.sheet);
  });

  it("reads the answers back that it saved, in whatever quotes", () => {
    const answers = answered((set, item) => (set < "8" ? "1" : item === "age" ? "" : "0"));
    const text = logic.csvOf(data, "anna", answers);
    const formula = logic.csvOf(data, "=cmd()", answers);
    expect(formula).toContain(",'=cmd(),");
    expect(logic.answersOf(data, "=cmd()", formula)).toMatchObject({ answers, problems: [] });
    const read = logic.answersOf(data, "anna", `\ufeff${text.replaceAll("\n", "\r\n")}`);
    expect(read).toMatchObject({ answers, problems: [] });
    const quoted = text.replaceAll(/[^,\n]+/g, (cell) => `"${cell}"`);
    expect(logic.answersOf(data, "anna", quoted).answers).toEqual(answers);
  });

  it("refuses a file with wrong lines, each by its number", () => {
    const [first] = data.sets;
    const line = (cells: string) => `${data.sheet},${first?.id},${cells}\n`;
    const text =
      "sheet,set,item,expert,present\n" +
      line("age,anna,1") +
      line("age,anna,0") +
      line("hat,anna,0") +
      line("age,ben,0") +
      line("gender,anna,2") +
      "other,1,age,anna,1\n";
    expect(logic.answersOf(data, "anna", text).problems).toEqual([
      expect.stringContaining("line 3: age of"),
      expect.stringContaining("line 4: expected an item of"),
      expect.stringContaining('line 5: expected answers of anna but received "ben"'),
      expect.stringContaining("line 6: expected 1, 0 or nothing"),
      expect.stringContaining("line 7: expected answers to the sheet"),
    ]);
    expect(logic.answersOf(data, "anna", "a,b\n").problems).toHaveLength(1);
  });

  it("finds the next set with an open question, round the end", () => {
    const answers = answered(() => "1");
    expect(logic.nextOpen(data, answers, 3)).toBe(-1);
    const id = data.sets[2]?.id ?? "";
    answers[id] = {};
    expect(logic.nextOpen(data, answers, 3)).toBe(2);
  });
});

describe("study page --collect", () => {
  it("puts the experts' answers beside the judge's, for analyze stereotypes", async () => {
    const anna = answered((set) => (set < "8" ? "1" : "0"));
    const ben = answered((set, item) => (item === "age" ? "" : set < "a" ? "1" : "0"));
    await writeFile(join(directory, "anna.csv"), logic.csvOf(data, "anna", anna));
    await writeFile(join(directory, "ben.csv"), logic.csvOf(data, "ben", ben));
    const made = await touchstone(
      ...["study", "page", "run", "--collect", "anna.csv,ben.csv", "--out", "labelled.csv"],
    );
    expect(made).toMatchObject({ code: 0 });
    expect(made.stdout).toContain("analyze stereotypes labelled.csv --experts anna,ben");
    const found = await touchstone(
      ...["analyze", "stereotypes", "labelled.csv", "--experts", "anna,ben"],
      ...["--resamples", "100", "--json"],
    );
    expect(found.code).toBe(0);
    const { experts, judge, corrected } = JSON.parse(found.stdout);
    const questions = Object.values(anna).reduce((sum, own) => sum + Object.keys(own).length, 0);
    expect(experts).toMatchObject({ n: questions, answers: [questions, expect.any(Number)] });
    expect(experts.answers[1]).toBeLessThan(questions);
    // Every category x painter x phase has sets on the sheet.
    expect(judge).toHaveLength(12);
    const [initial, refined] = corrected.shares;
    expect(initial.labelled + refined.labelled).toBe(questions - experts.disputed);
  });

  it("names file and line of what does not belong, and writes nothing", async () => {
    const [first] = data.sets;
    await writeFile(
      join(directory, "bad.csv"),
      `sheet,set,item,expert,present\ns,nowhere,age,anna,1\ns,${first?.id},hat,anna,1\ns,${first?.id},age,query,1\n`,
    );
    const made = await touchstone(
      ...["study", "page", "run", "--collect", "bad.csv", "--out", "none.csv"],
    );
    expect(made.code).toBe(2);
    const said = made.stderr.replaceAll(/\s+/g, " ");
    expect(said).toContain(
      'Expected a set of this run but received "nowhere" (in bad.csv, line 2)',
    );
    expect(said).toContain("(in bad.csv, line 3)");
    expect(said).toContain('received "query" (in bad.csv, line 4)');
    await expect(readFile(join(directory, "none.csv"))).rejects.toThrow();
    const cell = "sheet,set,item,expert,present\ns,nowhere,age,anna,maybe\n";
    await writeFile(join(directory, "cell.csv"), cell);
    const other = await touchstone(
      ...["study", "page", "run", "--collect", "cell.csv", "--out", "none.csv"],
    );
    expect(other.stderr).toContain("cell.csv, line 2");
  });

  it.each([
    ["an empty file", "", "spoiled.csv"],
    ["a header alone", "sheet,set,item,expert,present\n", "rows in spoiled.csv but it has none"],
    ["no column of answers", "sheet,set,item,expert\ns,1,age,anna\n", "present"],
    ["a row cut short", "sheet,set,item,expert,present\ns,1,ag", "line 2"],
    ["another kind of file", '{"set": 1}\n', "spoiled.csv"],
  ])("refuses %s, and writes nothing", async (_, text, said) => {
    await writeFile(join(directory, "spoiled.csv"), text);
    const files = ["--collect", "spoiled.csv", "--out", "spoiled-table.csv"];
    const { code, stderr } = await touchstone("study", "page", "run", ...files);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(said);
    await expect(readFile(join(directory, "spoiled-table.csv"))).rejects.toThrow("ENOENT");
  });

  it("refuses an answer that stands in two files, naming both places", async () => {
    const [first] = data.sets;
    const line = (present: number) =>
      `sheet,set,item,expert,present\ns,${first?.id},age,anna,${present}\n`;
    await writeFile(join(directory, "one.csv"), line(1));
    await writeFile(join(directory, "two.csv"), line(0));
    const files = ["--collect", "one.csv,two.csv", "--out", "twice.csv"];
    const { code, stderr } = await touchstone("study", "page", "run", ...files);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      "another stands in one.csv, line 2 (in two.csv, line 2)",
    );
    await expect(readFile(join(directory, "twice.csv"))).rejects.toThrow("ENOENT");
  });
});

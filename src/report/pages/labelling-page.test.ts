import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAuditRun } from "../../../test/report/audit-run.js";
import { touchstoneHere } from "../../../test/support/touchstone-here.js";
import type { OfflineStudy } from "../../studies/page/offline-study.js";

let directory = "";
let page = "";
let data: OfflineStudy;

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
    /<script type="application\/json" id="offline">(.*?)<\/script>/s.exec(page)?.[1] ?? "",
  );
});
afterAll(() => rm(directory, { recursive: true }));

const setOf = (assignment: string): string => assignment.slice(0, 12);
const itemOf = (assignment: string): string => assignment.slice(13);

/** What the sheet saves after everything was answered by a rule; undefined leaves a question open. */
function saved(expert: string, rule: (set: string, item: string) => boolean | null | undefined) {
  return {
    touchstone: "study-page",
    version: 1,
    study: data.id,
    title: "Labelling sheet: run",
    participant: data.participant,
    session: data.session,
    copy: "0123456789abcdef",
    saved: 9_000,
    consent: { at: 1_000, version: "v" },
    background: { expert },
    answers: data.items.flatMap(({ assignment }) => {
      const present = rule(setOf(assignment), itemOf(assignment));
      return present === undefined
        ? []
        : [{ assignment, at: 2_000, answer: { present, images: [] } }];
    }),
  };
}

const write = (name: string, file: object) =>
  writeFile(join(directory, name), JSON.stringify(file));

describe("a labelling sheet", () => {
  it("keeps answers of each named expert apart, also in one browser", async () => {
    const sessions = [];
    for (const expert of ["anna", "ben"]) {
      const name = `${expert}.html`;
      await touchstone("study", "page", "run", "--out", name, "--sets", "2", "--expert", expert);
      const made = await readFile(join(directory, name), "utf8");
      sessions.push(/"session":"([^"]*)"/.exec(made)?.[1]);
    }
    expect(sessions[0]).toMatch(/\.anna$/);
    expect(sessions[1]).toMatch(/\.ben$/);
  });

  it("shows every set with its images, and nothing of who made them", () => {
    expect(new Set(data.items.map(({ assignment }) => setOf(assignment))).size).toBe(18);
    for (const { images } of data.items) expect(Object.keys(images)).toHaveLength(3);
    expect(data.items[0]?.item).toMatchObject({
      question: expect.stringMatching(/^Do the images/),
    });
    for (const hidden of ["painter", "refined", "initial", "nothing stands out", "test:"]) {
      expect(JSON.stringify({ ...data, images: [] })).not.toContain(hidden);
    }
    for (const image of data.images) expect(image).toMatch(/^UklGR/);
  });

  it("asks nothing of a network and runs no script but its own", () => {
    expect(page).toContain("default-src &#39;none&#39;");
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it("is the same file for the same seed, and another sample for another", async () => {
    await touchstone("study", "page", "run", "--out", "again.html", "--sets", "18");
    expect(await readFile(join(directory, "again.html"), "utf8")).toBe(page);
    await touchstone("study", "page", "run", "--out", "other.html", "--sets", "18", "--seed", "1");
    expect(await readFile(join(directory, "other.html"), "utf8")).not.toContain(data.id);
  });
});

describe("study page --collect", () => {
  it("puts the experts' answers beside the judge's, for analyze stereotypes", async () => {
    await write(
      "anna.json",
      saved("anna", (set) => set < "8"),
    );
    const ben = saved("ben", (set, item) => (item === "age" ? null : set < "a"));
    // A table of labels is read beside what a sheet saved.
    const lines = ben.answers.map(({ assignment, answer: { present } }) =>
      [
        data.id,
        setOf(assignment),
        itemOf(assignment),
        "ben",
        present === null ? "" : Number(present),
      ].join(),
    );
    await writeFile(
      join(directory, "ben.csv"),
      `sheet,set,item,expert,present\n${lines.join("\n")}\n`,
    );
    const made = await touchstone(
      ...["study", "page", "run", "--collect", "anna.json,ben.csv", "--out", "labelled.csv"],
    );
    expect(made).toMatchObject({ code: 0 });
    expect(made.stdout).toContain("analyze stereotypes labelled.csv --experts anna,ben");
    const found = await touchstone(
      ...["analyze", "stereotypes", "labelled.csv", "--experts", "anna,ben"],
      ...["--resamples", "100", "--json"],
    );
    expect(found.code).toBe(0);
    const { experts, judge, corrected } = JSON.parse(found.stdout);
    const questions = data.items.length;
    expect(experts).toMatchObject({ n: questions, answers: [questions, expect.any(Number)] });
    expect(experts.answers[1]).toBeLessThan(questions);
    // Every category x painter x phase has sets on the sheet.
    expect(judge).toHaveLength(12);
    const [initial, refined] = corrected.shares;
    expect(initial.labelled + refined.labelled).toBe(questions - experts.disputed);
  });

  it("names file and line of what does not belong, and writes nothing", async () => {
    const first = setOf(data.items[0]?.assignment ?? "");
    await writeFile(
      join(directory, "bad.csv"),
      `sheet,set,item,expert,present\ns,nowhere,age,anna,1\ns,${first},hat,anna,1\ns,${first},age,query,1\n`,
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
    const first = setOf(data.items[0]?.assignment ?? "");
    const line = (present: number) =>
      `sheet,set,item,expert,present\ns,${first},age,anna,${present}\n`;
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

  it.each([
    [
      "a name that is none",
      { background: { expert: null } },
      /for the expert's name in own.json but received null/,
    ],
    [
      "an answer that is none",
      { answers: [{ assignment: "x", at: 1, answer: { present: 7 } }] },
      /true, false or null for present \(in own.json, answers\[0\]\)/,
    ],
    [
      "a set of another run",
      { answers: [{ assignment: "000000000000.age", at: 1, answer: { present: true } }] },
      /received "000000000000" \(in own.json, answers\[0\]\)/,
    ],
    ["a file that is none", { touchstone: "else" }, /is no such file/],
  ])("refuses %s in what a sheet saved, and writes nothing", async (_, part, message) => {
    await write("own.json", { ...saved("anna", () => true), ...part });
    const files = ["--collect", "own.json", "--out", "own-table.csv"];
    const { code, stderr } = await touchstone("study", "page", "run", ...files);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(message);
    await expect(readFile(join(directory, "own-table.csv"))).rejects.toThrow("ENOENT");
  });

  it.each(["--sets 2", "--seed 1", "--expert anna", "--rubrics own.yaml"])(
    "refuses %s with --collect: they are of the sheet",
    async (words) => {
      const files = ["--collect", "anna.json", "--out", "idle-table.csv"];
      const { code, stderr } = await touchstone(
        "study",
        "page",
        "run",
        ...words.split(" "),
        ...files,
      );
      expect(code).toBe(2);
      expect(stderr).toContain(`Expected no ${words.split(" ")[0]} with --collect`);
      await expect(readFile(join(directory, "idle-table.csv"))).rejects.toThrow("ENOENT");
    },
  );
});

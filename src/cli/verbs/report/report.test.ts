import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSampleRun } from "../../../../test/report/sample-run.js";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { standingOverview } from "../../../report/standing.js";
import type { Verb } from "../../command-line/command.js";
import { runCommandLine } from "../../main.js";
import { verbs as all } from "../../verbs.js";

const verbs: readonly Verb[] = [
  { name: "report", summary: "", load: () => import("./report.js") },
  { name: "card", summary: "", load: () => import("../card/card.js") },
  { name: "score", summary: "", load: () => import("../score/score.js") },
  ...all.filter(({ name }) => name === "run"),
];

let workingDirectory = "";
beforeAll(async () => {
  workingDirectory = await mkdtemp(join(tmpdir(), "touchstone-"));
  await makeSampleRun(join(workingDirectory, "run"));
});
afterAll(() => rm(workingDirectory, { recursive: true }));

async function touchstone(...line: string[]) {
  const environment = fakeEnvironment({ workingDirectory });
  const exitCode = await runCommandLine(line, environment, verbs);
  return { exitCode, ...environment.written };
}

interface AnyStored {
  readonly key: string;
  readonly status: string;
  readonly metric: string;
  readonly of: string;
  readonly prompt: string;
}

async function records(step: string): Promise<AnyStored[]> {
  const folder = join(workingDirectory, "run", "records");
  const name = (await readdir(folder)).find((file) => file.includes(step)) ?? "";
  const lines = (await readFile(join(folder, name), "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

describe("of a run whose filter kept nothing", () => {
  let words: string[] = [];
  beforeAll(async () => {
    words = ["none"];
    await makeSampleRun(join(workingDirectory, "none"), { rate: (random) => 1 + random });
  });

  it.each(["report", "card"])(
    "touchstone %s stops, with what was lost by domain and reason",
    async (verb) => {
      const { exitCode, stdout, stderr } = await touchstone(verb, ...words);
      expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: "" });
      expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
        /fake:rater rated both images 8 or more of 10 \(vqa-rating\) but the filter kept none of \d+: animals 0 of 20 \(both images below the threshold: \d+/,
      );
      expect(stderr).toContain(`unfiltered: touchstone ${verb} none --unfiltered`);
      expect(await readdir(join(workingDirectory, "none"))).not.toContain("report.html");
    },
  );

  it("the next command asks for what there is", async () => {
    const metric =
      'export default { name: "one", range: [0, 1], direction: "higher", score: () => 1 };';
    await writeFile(join(workingDirectory, "one.mjs"), metric);
    await cp(join(workingDirectory, "none"), join(workingDirectory, "scored"), { recursive: true });
    const { stdout } = await touchstone("score", "scored", "--metric", "./one.mjs");
    expect(stdout).toContain("Next: touchstone report scored --unfiltered");
    expect(await touchstone("report", "scored", "--unfiltered")).toMatchObject({ exitCode: 0 });
  });

  it("what is concluded from all pairs is there when it is asked for, and says what it is of", async () => {
    const { exitCode, stdout } = await touchstone("report", ...words, "--unfiltered");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/not measurably more than in controls/);
    const page = await readFile(join(workingDirectory, "none", "report-unfiltered.html"), "utf8");
    const made = await readdir(join(workingDirectory, "none"));
    expect(made.filter((name) => name === "report.html" || name === "verdict.json")).toEqual([]);
    expect(page).toContain("Over the pairs as they were generated.");
    expect(page).toContain("touchstone report none --unfiltered");
    expect(page).toContain("below the threshold");
    const card = await touchstone("card", ...words, "--unfiltered", "--json");
    expect(card).toMatchObject({ exitCode: 0 });
    expect(card.stdout).toContain("(all pairs of images)");
  });
});

describe("touchstone report", () => {
  let reported: Awaited<ReturnType<typeof touchstone>>;
  beforeAll(async () => {
    reported = await touchstone("report", "run");
  });

  it("writes the page into the run and says where, how large, and what it says", async () => {
    const { exitCode, stdout } = reported;
    expect(exitCode).toBe(0);
    const page = await readFile(join(workingDirectory, "run", "report.html"), "utf8");
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain("Mean scores on [0, 1]");
    expect(stdout).toMatch(/fails in .*\n/);
    expect(stdout).toMatch(/Report: run\/report\.html \(\d+ kB\)/);
    expect(stdout).toMatch(/Next: touchstone run explain [0-9a-f]{12} --run run\n$/);
  });

  it("writes the same words and tables in Markdown", async () => {
    const { exitCode, stdout } = await touchstone("report", "run", "--out", "run.md");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Report: run\.md \(\d+ kB\)\.\n/);
    const [title = "", ...blocks] = (
      await readFile(join(workingDirectory, "run.md"), "utf8")
    ).split("\n\n");
    expect(title).toMatch(/^# /);
    const page = await readFile(join(workingDirectory, "run", "report.html"), "utf8");
    const titles = (text: string, of: RegExp) => [...text.matchAll(of)].map(([, one]) => one);
    expect(titles(blocks.join("\n"), /^## (.*)$/gm)).toEqual(
      expect.arrayContaining(titles(page, /<summary><h2[^>]*>(.*?)<\/h2>/g).slice(1)),
    );
    const tables = blocks.filter((block) => block.startsWith("| "));
    expect(tables.length).toBeGreaterThan(2);
    // Every row has as many cells as its head; an escaped | is in a cell.
    for (const table of tables) {
      const cells = table.split("\n").map((line) => line.split(/(?<!\\)\|/).length);
      expect(new Set(cells).size).toBe(1);
    }
    expect(blocks.at(-1)).toContain("Made by `touchstone report run --out run.md`.");
  });

  it("leaves beside the page an overview with the page's figure and its very numbers", async () => {
    const place = join(workingDirectory, "run");
    const page = await readFile(join(place, "report.html"), "utf8");
    const overview = await standingOverview(place);
    const [byDomain, byKnob] = overview?.tables ?? [];
    expect(byDomain?.rows.length).toBeGreaterThan(10);
    expect(byKnob?.rows.length).toBeGreaterThan(5);
    for (const { cells } of [...(byDomain?.rows ?? []), ...(byKnob?.rows ?? [])]) {
      const [, , , ...numbers] = cells;
      // A row of the page's table holds the same numbers in the same order.
      expect(page).toContain(numbers.map((cell) => `<td class="number">${cell}</td>`).join(""));
    }
    const drawn = (svg = "") => /<g aria-hidden.*<\/g>/s.exec(svg)?.[0] ?? "nothing";
    expect(page).toContain(drawn(overview?.figure.svg));
    expect(page).toContain(drawn(overview?.figure.narrow));
  });

  it("writes elsewhere on demand, the same bytes, and speaks JSON", async () => {
    const { exitCode, stdout } = await touchstone("report", "run", "--out", "a/b.html", "--json");
    expect(exitCode).toBe(0);
    const path = join(workingDirectory, "a", "b.html");
    const page = await readFile(path);
    expect(JSON.parse(stdout)).toMatchObject({
      path,
      bytes: page.length,
      verdict: expect.arrayContaining([expect.stringContaining("fails in")]),
    });
    const other = await readFile(join(workingDirectory, "run", "report.html"));
    expect(page.equals(other)).toBe(true);
  });

  it("links to every chapter of a demo that stands beside it, from wherever the page lies", async () => {
    await makeSampleRun(join(workingDirectory, "demo"));
    const chapter = async (name: string, files: Record<string, string>) => {
      await mkdir(join(workingDirectory, "demo", name), { recursive: true });
      for (const [file, text] of Object.entries(files)) {
        await writeFile(join(workingDirectory, "demo", name, file), text);
      }
    };
    const said = ["By Brier score the <mixture> comes out best.", "These rows can't tell why."];
    await chapter("judge", {
      "report.html": "<!doctype html>",
      "verdict.json": JSON.stringify({ verdict: said }),
    });
    // Another version left no verdict; what was begun has no page yet; a stranger is no chapter.
    await chapter("stereotypes", { "report.html": "<!doctype html>" });
    await chapter("attribute-confusion", { "run.json": "{}" });
    await chapter("notes", { "report.html": "<!doctype html>" });
    const { exitCode, stdout } = await touchstone("report", "demo", "--json");
    expect(exitCode).toBe(0);
    const page = await readFile(join(workingDirectory, "demo", "report.html"), "utf8");
    const links = (html: string) => html.match(/(?<=<h3><a href=")[^"]*(?=">)/g);
    expect(links(page)).toEqual(["stereotypes/report.html", "judge/report.html"]);
    expect(page).toContain("By Brier score the &lt;mixture&gt; comes out best.");
    expect(page).toContain("<li>These rows can&#39;t tell why.</li>");
    const { verdict } = JSON.parse(stdout);
    const beside = await readFile(join(workingDirectory, "demo", "verdict.json"), "utf8");
    expect(JSON.parse(beside)).toEqual({ verdict });

    await touchstone("report", "demo", "--out", "some where/b.html");
    const other = await readFile(join(workingDirectory, "some where", "b.html"), "utf8");
    expect(links(other)).toEqual(["../demo/stereotypes/report.html", "../demo/judge/report.html"]);
    expect(await readdir(join(workingDirectory, "some where"))).toEqual(["b.html"]);
  });

  it("takes the tolerance that is given for ties, and says how to make the page again", async () => {
    const made = async (...words: readonly string[]) => {
      const { stdout } = await touchstone("report", "run", "--out", "t.html", "--json", ...words);
      const page = await readFile(join(workingDirectory, "t.html"), "utf8");
      return { page, verdict: JSON.parse(stdout).verdict.join(" ") };
    };
    const own = await made();
    expect(own.page).toContain("scores within 1e-6 (relative) count as ties");
    expect(own.page).toMatch(/touchstone report run<\/code>/);
    const wide = await made("--tie-tolerance", "0.5");
    expect(wide.page).toContain("scores within 0.5 (relative) count as ties");
    expect(wide.page).toMatch(/touchstone report run --tie-tolerance 0\.5<\/code>/);
    const rateIn = (text: string) => Number(/fails in (\S+) %/.exec(text)?.[1]);
    expect(rateIn(wide.verdict)).toBeGreaterThan(rateIn(own.verdict));
  });

  it("refuses what is no run, and a file that is no page", async () => {
    const missing = await touchstone("report", "nowhere");
    expect(missing.exitCode).toBe(2);
    expect(missing.stderr).toContain("run.json");
    const image = await touchstone("report", "run", "--out", "report.png");
    expect(image.exitCode).toBe(2);
    expect(image.stderr).toContain("Expected a file that ends in .html or .md for --out");
  });
});

describe("touchstone run explain", () => {
  it("tells a score's life, from the beginning of its key", async () => {
    const score = (await records("score-images")).find(
      ({ metric, status }) => metric === "clip-score" && status === "done",
    );
    const key = score?.key ?? "";
    const { exitCode, stdout } = await touchstone(
      "run",
      "explain",
      key.slice(0, 12),
      "--run",
      "run",
    );
    expect(exitCode).toBe(0);
    for (const line of [
      `record      score ${key}, made by score-images@1`,
      "metric      clip-score, version 1",
      "statistic   cosine",
      "range       0 to 1, higher is better",
      "model       fake:dual",
      "asked       2000-01-01T00:00:00.000Z, 0 s, attempt 1, done",
      "run made by touchstone demo --run sample",
    ]) {
      expect(
        stdout.split("\n").map((text) => text.replace(/^(run made by|\S+) +/, "$1 ")),
      ).toContain(line.replace(/^(run made by|\S+) +/, "$1 "));
    }
    expect(stdout).toMatch(/question +Is it "An? /);
    expect(stdout).toMatch(/image +run\/blobs\/[0-9a-f]{2}\/[0-9a-f]{64}\.png, 24 x 24 pixels\n/);
    expect(stdout).toMatch(
      /Next: touchstone score --image run\/blobs\S+ --text '.*' --metric clip-score --model fake:dual\n/,
    );
    expect(stdout.match(/touchstone score/g)).toHaveLength(1);
  });

  it("names commands as this program was called, and leaves what it says as JSON as it is", async () => {
    const [score] = await records("score-images");
    const line = ["run", "explain", score?.key ?? "", "--run", "run"];
    const inClone = { ...fakeEnvironment({ workingDirectory }), program: "./bin/touchstone" };
    await runCommandLine(line, inClone, verbs);
    expect(inClone.written.stdout).toMatch(/run made by +\.\/bin\/touchstone demo --run sample\n/);
    const asJson = { ...fakeEnvironment({ workingDirectory }), program: "./bin/touchstone" };
    await runCommandLine([...line, "--json"], asJson, verbs);
    expect(JSON.parse(asJson.written.stdout)).toMatchObject({
      repeat: expect.stringMatching(/^touchstone score /),
      madeBy: "touchstone demo --run sample",
    });
  });

  it("gives the same as JSON, with the records it belongs to", async () => {
    const [score] = await records("rate-images");
    const { exitCode, stdout } = await touchstone(
      "run",
      "explain",
      score?.key ?? "",
      "--run",
      "run",
      "--json",
    );
    expect(exitCode).toBe(0);
    const life = JSON.parse(stdout);
    expect(life.record).toEqual(score);
    expect(life.image.key).toBe(score?.of);
    expect(life.prompt.key).toBe(life.image.prompt);
    expect(life.trace).toEqual([
      expect.objectContaining({ kind: "asked", startedAt: "2000-01-01T00:00:00.000Z" }),
    ]);
  });

  it("tells what became of an image and of a prompt", async () => {
    const image = (await records("paint-images")).find(({ status }) => status === "done");
    const ofImage = await touchstone("run", "explain", image?.key ?? "", "--run", "run");
    expect(ofImage.stdout.match(/became +score /g)).toHaveLength(5);
    const ofPrompt = await touchstone("run", "explain", image?.prompt ?? "", "--run", "run");
    expect(ofPrompt.stdout.match(/became +image /g)).toHaveLength(8);
  });

  it("refuses an unknown key with the nearest, and a beginning of several with all of them", async () => {
    const [{ key } = { key: "" }] = await records("score-images");
    const wrong = `${key.slice(0, 15)}${key[15] === "0" ? "1" : "0"}`;
    const unknown = await touchstone("run", "explain", wrong, "--run", "run");
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain(`Did you mean ${key}?`);
    const several = await touchstone("run", "explain", key.slice(0, 1), "--run", "run");
    expect(several.exitCode).toBe(2);
    expect(several.stderr).toContain("Give more characters of the key.");
    const none = await touchstone("run", "explain", "zzzz", "--run", "run");
    expect(none.stderr).toContain("Keys are in records/");
  });

  it("shows control characters of a model's answer instead of obeying them", async () => {
    await rm(join(workingDirectory, "run", "seals"), { recursive: true });
    const folder = join(workingDirectory, "run", "records");
    const name = (await readdir(folder)).find((file) => file.includes("score-images")) ?? "";
    const text = await readFile(join(folder, name), "utf8");
    const [first = "", ...rest] = text.trim().split("\n");
    const forged = { ...JSON.parse(first), question: "yes\u001b[2J\nvalue 1" };
    await writeFile(join(folder, name), `${[JSON.stringify(forged), ...rest].join("\n")}\n`);
    const { stdout } = await touchstone("run", "explain", forged.key, "--run", "run");
    expect(stdout).toContain("yes\\u001b[2J\\u000avalue 1");
  });
});

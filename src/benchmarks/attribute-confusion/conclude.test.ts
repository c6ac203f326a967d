import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeConfusionRun } from "../../../test/report/confusion-run.js";
import { makeSampleRun } from "../../../test/report/sample-run.js";
import { openStore } from "../../files/open-store.js";
import { reportPage } from "../../report/pages/report-page.js";
import { lifeFacts } from "../../report/text/record-life-text.js";
import { recordLife } from "../../runs/record-life.js";
import { concludeConfusion } from "./conclude.js";
import type { ConfusionReport } from "./conclusion.js";
import { confusionReport } from "./report.js";
import { swapCards } from "./swap-cards.js";
import { confusionVerdict } from "./verdict.js";

let directory = "";
let report: ConfusionReport;
let page = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "touchstone-"));
  await makeConfusionRun(join(directory, "run"), { count: 16, painters: ["a", "e"] });
  report = await read("run");
  page = await reportPage(confusionReport(report).report());
});
afterAll(() => rm(directory, { recursive: true }));

async function read(name: string) {
  const run = await openStore(join(directory, name));
  return concludeConfusion({ run, name, resamples: 20 });
}

describe("the report of an attribute confusion run", () => {
  it("speaks of the images that show what they should, and of all beside them", () => {
    const [right, all] = report.selections;
    expect([right.name, all?.name]).toEqual(["as described", "all images"]);
    expect(all?.images).toBe(32);
    expect(right.images).toBeLessThan(32);
    for (const { swap, images } of report.selections) {
      for (const { overall } of Object.values(swap.metrics)) {
        expect(overall.n + overall.unscored).toBe(images);
      }
    }
  });

  it("lets the published way of localising stand for its name, and compares the others apart", () => {
    expect(report.metrics).toHaveLength(11);
    expect(report.variants).toHaveLength(8);
    const standing = report.standing.filter(({ metric }) => metric.startsWith("localized"));
    expect(standing.map(({ model }) => model.replace(/@\w+/g, ""))).toEqual([
      "test:answerer + test:localiser",
      "test:poor-answerer + test:localiser",
    ]);
    expect(new Set(report.variants.map(({ strategy }) => strategy)).size).toBe(6);
    expect(
      report.variants.filter(({ answerer }) => answerer === "test:poor-answerer"),
    ).toHaveLength(1);
    expect(
      report.variants.filter(({ localizer }) => localizer === "test:poor-localiser"),
    ).toHaveLength(1);
  });

  it("says in which part each way of localising differs from the first that stands", () => {
    expect(report.variants.map(({ exchanged }) => exchanged)).toEqual([
      ...["none", "masking", "blurring", "cropping", "masking+cropping"].map((value) => [
        { part: "strategy", value },
      ]),
      [],
      [{ part: "answerer", value: "test:poor-answerer" }],
      [{ part: "localiser", value: "test:poor-localiser" }],
    ]);
    const table = page.slice(page.indexOf('aria-label="Ablations of L-VQAScore"'));
    const rows = table
      .slice(0, table.indexOf("</table>"))
      .split(/<tr[^>]*>/)
      .slice(2);
    expect(rows.map((row) => /<th[^>]*>([^<]*)/.exec(row)?.[1])).toEqual([
      "nothing",
      ...Array(5).fill("strategy"),
      ...["localiser", "answerer"],
    ]);
  });

  it("correlates with the reference over 25 groups, five times", () => {
    expect(report.correlations?.f1).toMatchObject({ target: "f1", groups: 25, seeds: 5 });
    const found = report.correlations?.recall.metrics["vqa-score"];
    expect(found).toMatchObject({ n: 32, unscored: 0 });
  });

  it("gives each generator what the reference says of its images", () => {
    expect(report.generators.map(({ generator }) => generator)).toEqual([
      "lab:painter-a",
      "lab:painter-e",
    ]);
    for (const { images, referenced } of report.generators) {
      expect([images, referenced]).toEqual([16, 16]);
    }
  });

  it("decides every claim, or says why it can't", () => {
    const { findings } = report.claims;
    expect(findings.length).toBeGreaterThanOrEqual(20);
    const of = (statement: string) =>
      findings.find((finding) => finding.statement.startsWith(statement));
    expect(of("L-VQAScore fails less often than PickScore")).toMatchObject({
      outcome: "undecided",
      reason: "the run has no pick-score",
    });
    expect(of("Looking at entities one by one helps")?.n).toBe(32);
    expect(
      of("L-VQAScore follows the reference more closely with a better question"),
    ).toMatchObject({
      n: 32,
      measured: expect.stringContaining("with test:answerer minus that with test:poor-answerer"),
    });
    expect(
      of("L-VQAScore follows the reference more closely with a better localiser"),
    ).toMatchObject({
      n: 32,
      measured: expect.stringContaining("with test:localiser minus that with test:poor-localiser"),
    });
    for (const { outcome, reason } of findings) {
      expect(reason === undefined).toBe(outcome !== "undecided");
    }
  });

  it("says of how many descriptions a claim is told, and what to mind", () => {
    const [first] = report.claims.findings.filter(({ n }) => n > 0);
    expect(first).toMatchObject({ clusteredBy: "description" });
    expect(first?.clusters).toBeGreaterThan(0);
    expect(first?.clusters).toBeLessThanOrEqual(16);
    expect(report.warnings.join("; ")).toMatch(/intervals from \d+ descriptions are too narrow/);
    const unfound = report.warnings.filter((text) => text.includes("were not found"));
    expect(unfound).toHaveLength(1);
    expect(unfound[0]).toMatch(
      /poor-localiser.*: \d+ of \d+ entities were not found and were judged/,
    );
    expect(page).toContain("Caveats");
    const pairs = (report.standing.length * (report.standing.length - 1)) / 2;
    expect(report.differences).toHaveLength(pairs);
  });

  it("shows the mask, what was looked at, each question and P(yes)", () => {
    const { strips = [] } = report.strips ?? {};
    expect(strips.length).toBeGreaterThan(0);
    const entities = strips.flatMap((strip) => strip.entities);
    const found = entities.filter(({ mask }) => mask === "found");
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ overlay, seen }) => overlay !== undefined && seen !== undefined)).toBe(
      true,
    );
    const [question] = found[0]?.questions ?? [];
    expect(question?.question).toMatch(/^Is the .+\?$/);
    expect(page).toContain(question?.question);
    expect(question?.reference).toBeTypeOf("boolean");
  });

  it("puts the images first on which metrics disagree most, the reference among them", () => {
    const { columns, entries, images } = report.gallery;
    expect(images).toBe(32);
    expect(columns.at(-1)?.name).toBe("the reference");
    const spreads = entries.map(({ spread }) => spread);
    expect(spreads).toEqual([...spreads].sort((a, b) => b - a));
    expect(new Set(entries.map(({ text }) => text)).size).toBe(entries.length);
  });

  it("begins with a verdict and draws a page of one file", () => {
    const [lead] = confusionVerdict(report);
    expect(lead).toContain("prefers the swapped description");
    expect(page).toContain('id="ablations"');
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("tells of a score what was looked at, each question with P(yes), and both descriptions", async () => {
    const run = await openStore(join(directory, "run"));
    const life = await recordLife(run, report.strips?.strips[0]?.key ?? "");
    const facts = lifeFacts(life);
    const of = (name: string) => facts.filter(([fact]) => fact === name).map(([, value]) => value);
    expect(of("looked at")).toEqual(["each entity by itself; around it: blurring+cropping"]);
    expect(of("questions")[0]).toMatch(/^reflection, on .+: "Is the .+\?" P\(yes\) 0\.\d+ \(mask/);
    expect(of("swapped")).toHaveLength(1);
    expect(of("scored for")).toEqual(["the description"]);
    expect(of("noted").join()).toContain("where the localiser found");
    expect(of("noted").join()).not.toContain("[");
  });

  it("concludes what it can where nobody knows what is in the images", async () => {
    await makeConfusionRun(join(directory, "unknown"), {
      count: 4,
      painters: ["c"],
      isReferenced: false,
    });
    const unknown = await read("unknown");
    expect(unknown.correlations).toBeUndefined();
    expect(unknown.selections.map(({ name }) => name)).toEqual(["all images"]);
    const drawn = await reportPage(confusionReport(unknown).report());
    expect(drawn).toContain("Nobody said what is in these images");
    expect(drawn).toContain("touchstone study create");
    expect(unknown.isUnreferenced).toBe(true);
    expect(unknown.differences).toEqual([]);
    expect(unknown.claims.findings.map(({ outcome }) => outcome)).not.toContain("holds");
    expect(unknown.variants.every(({ swapFailure }) => swapFailure.value === null)).toBe(true);
    const { strips = [] } = unknown.strips ?? {};
    expect(strips.length).toBeGreaterThan(0);
    for (const { group, value } of strips) {
      expect(group).toBe(value < 1 ? "the metric finds faults" : "the metric finds none");
    }
    expect(
      drawn.slice(drawn.indexOf('aria-label="Examples"'), drawn.indexOf("</article>")),
    ).not.toMatch(/[✓✗]/);
    const { metrics } = await swapCards(await openStore(join(directory, "unknown")), {
      name: "unknown",
    });
    expect(metrics.flatMap(({ rows }) => rows)).toEqual([]);
  });

  it("is refused where there are no descriptions", async () => {
    await makeSampleRun(join(directory, "other"));
    await expect(read("other")).rejects.toThrow("which has none");
  });
});

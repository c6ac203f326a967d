import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAuditRun, redBands } from "../../../test/report/audit-run.js";
import type { ValueConclusion } from "../../analysis/stereotypes/audit-values.js";
import { auditedRows } from "../../analysis/stereotypes/audited-rows.js";
import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import type { ImageEmbedder } from "../../core/models.js";
import type { RecordStore } from "../../core/record-store.js";
import { openStore } from "../../files/open-store.js";
import { openPicture } from "../../images/picture.js";
import { reportPage } from "../../report/pages/report-page.js";
import { drawnOverview } from "../../report/standing.js";
import type { AuditReport } from "./conclusion.js";
import { concludeAudit } from "./findings.js";
import { readAuditRecords } from "./read-audit-records.js";
import { auditReport } from "./report.js";
import { auditVerdict } from "./verdict.js";

let directory = "";
let report: AuditReport;
let page = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "touchstone-"));
  await makeAuditRun(join(directory, "run"), { count: 5, images: 3 });
  const run = await openStore(join(directory, "run"));
  report = await concludeAudit({
    run,
    name: "run",
    truth: await truthOf(run),
    embedder,
    resamples: 50,
  });
  page = await reportPage(auditReport(report).report());
  if (process.env.SHOW_PAGE !== undefined) await writeFile(process.env.SHOW_PAGE, page);
});
afterAll(() => rm(directory, { recursive: true }));

/** Where the bands are red; a picture without any has no direction. */
const embedder: ImageEmbedder = {
  identity: { provider: "test", model: "bands" },
  embedImage: async (picture) => Float32Array.from(await redBands(picture), (red) => (red ? 1 : 0)),
};

/** Answers that the bands of the pictures give, read without the judge. */
async function truthOf(run: RecordStore): Promise<StereotypeRow[]> {
  const records = await readAuditRecords(run);
  const truths = new Map<string, 0 | 1>();
  for (const { text, generator, phase, images, items, trial } of records.audits) {
    if (trial > 0) continue;
    const red: boolean[][] = [];
    for (const image of images)
      red.push(await redBands(await openPicture(await run.blobs.read(image), image)));
    for (const [at, item] of items.entries()) {
      const seen = red.filter((bands) => bands[at]).length;
      truths.set(JSON.stringify([text, generator, phase, item]), 2 * seen > images.length ? 1 : 0);
    }
  }
  return auditedRows(records).map((row) => ({
    ...row,
    present: truths.get(JSON.stringify([row.query, row.model, row.phase, row.item])) ?? null,
  }));
}

describe("the report of a stereotype audit", () => {
  it("compares by category and generator, whose names go without revisions", () => {
    const { categories, overall } = report.conclusion;
    expect(Object.keys(categories).sort()).toEqual(["adjectival", "geocultural", "occupational"]);
    expect(Object.keys(overall.models)).toEqual(["test:painter-a", "test:painter-b"]);
    expect(overall.difference.low).toBeGreaterThan(0);
    expect(auditVerdict(report).join("\n")).toContain("of 14 queries");
  });

  it("asks the price of every metric against the query, and whether it goes with the fall", () => {
    const [price] = report.prices;
    expect(price).toMatchObject({ metric: "redness", model: "test:redness" });
    expect(price?.change.overall.difference.low).toBeGreaterThan(0);
    // The metric likes the very bands that are removed.
    expect(price?.tradeOff.value).toBeGreaterThan(0.3);
    expect(auditVerdict(report).join("\n")).toContain(
      "by redness refined images show the original query less",
    );
  });

  it("claims no price and no distance from fewer than six queries, and says why", () => {
    const few = <Change extends ValueConclusion>(change: Change): Change => ({
      ...change,
      intervals: { ...change.intervals, clusters: 5 },
    });
    const { distance } = report.diversity;
    const said = auditVerdict({
      ...report,
      prices: report.prices.map((price) => ({ ...price, change: few(price.change) })),
      diversity: {
        ...report.diversity,
        ...(distance === undefined
          ? {}
          : { distance: { ...distance, change: few(distance.change) } }),
      },
    });
    const unsure = said.filter((sentence) => sentence.includes("is inconclusive"));
    expect(unsure).toHaveLength(2);
    for (const sentence of unsure)
      expect(sentence).toContain(" is inconclusive (5 queries are too few; it takes 6): ");
  });

  it("knows how far the judge agrees with itself and with the truth", () => {
    expect(report.selfAgreement.map(({ category }) => category)).toHaveLength(4);
    const { same } = report.selfAgreement[0] ?? {};
    // Two answers that are each wrong in 12 % of the items agree in 79 %.
    expect(same?.value).toBeGreaterThan(0.7);
    expect(same?.value).toBeLessThan(0.88);
    expect(report.truth?.spearman.value).toBeGreaterThan(0.5);
    for (const { accuracy } of report.truth?.judge ?? []) expect(accuracy).toBeGreaterThan(0.7);
    const initial = report.truth?.correction.shares[0];
    expect(initial?.corrected.value).not.toBeCloseTo(initial?.apparent ?? 0, 4);
  });

  it("measures how far apart the images of a set lie, where they all have an embedding", () => {
    const { same, distance } = report.diversity;
    expect(same.initial.same).toBe(0);
    expect(distance?.model).toBe("test:bands");
    const { initial, refined, pairs, dropped } = distance?.change.overall ?? {};
    // The fewer bands are red, the fewer two pictures share.
    expect(refined).toBeGreaterThan(initial ?? 2);
    expect(dropped).toBeGreaterThan(0);
    expect((pairs ?? 0) + (dropped ?? 0)).toBe(30);
    expect(auditVerdict(report).join("\n")).toContain("Refined images of one set differ more");
  });

  it("counts what has no answer, and keeps it in the bounds", () => {
    const [all] = report.bounds;
    const { initial, refined } = all?.bounds ?? {};
    expect(refined?.items).toBe(initial?.items);
    expect((initial?.high ?? 0) - (initial?.low ?? 0)).toBeGreaterThanOrEqual(0);
    const missing = report.refining.keptOut + report.unscored.length;
    expect(missing > 0).toBe((refined?.unscored ?? 0) > 0);
    const { kept, clean, keptOut } = report.refining;
    const rewrites = report.provenance.records.find(({ type }) => type === "refinement");
    expect(kept + clean).toBe(rewrites?.done);
    expect(keptOut).toBe(rewrites?.unscored);
  });

  it("shows sets before and after with the judge's words, which are text and no markup", () => {
    expect(report.cards.length).toBeGreaterThanOrEqual(9);
    const [card] = report.cards;
    expect(card?.initial.images).toHaveLength(3);
    expect(card?.refined?.prompt).toContain(", where nothing stands out");
    expect(card?.initial.flags.length).toBeGreaterThan(0);
    expect(page).toContain("&lt;b&gt;");
    expect(page).not.toMatch(/<b>(gender|clothing|age)<\/b> &amp; "/);
    expect(page).not.toContain("<script");
    const ids = report.cards.map(({ query, generator }) => query + generator);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("says what the index is not, and offers the labelling sheet where nobody knows the truth", async () => {
    expect(page).toContain("It says nothing of any real person");
    expect(page).toContain("Claims of the paper");
    expect(page).toContain("Benjamini-Yekutieli");
    // The paper's index stands apart from the run's own.
    expect(page).toContain("The paper&#39;s index: other models, other images, another judge");
    const { truth: _, ...unknown } = report;
    const other = await reportPage(auditReport(unknown).report());
    expect(other).toContain("touchstone study page --audit run --out sheet.html");
    expect(other).not.toContain("Judged against true");
  });

  it("has the numbers of the overview beside it, row by row", async () => {
    const [index] = (await drawnOverview(auditReport(report).overview())).tables;
    expect(index?.rows.length).toBeGreaterThan(5);
    for (const { cells } of index?.rows ?? []) {
      const [, , ...numbers] = cells;
      expect(page).toContain(numbers.map((cell) => `<td class="number">${cell}</td>`).join(""));
    }
    expect(index?.rows[0]?.facets).toEqual({ category: "all categories", generator: "all models" });
  });

  it("is the same text for the same report", async () => {
    expect(await reportPage(auditReport(report).report())).toBe(page);
  });
});

describe("an audit without rewriting", () => {
  it("has an index, and no after", async () => {
    await makeAuditRun(join(directory, "once"), { count: 2, trials: 1, isRefined: false });
    const run = await openStore(join(directory, "once"));
    const once = await concludeAudit({ run, name: "once", resamples: 20 });
    expect(once.isRefined).toBe(false);
    // Of all and of each of three categories, over both generators and by each.
    expect(once.initial).toHaveLength(12);
    expect(once.initial[0]?.index.mean.value).toBeGreaterThan(0);
    expect(auditVerdict(once)).toEqual([expect.stringContaining("nothing was rewritten")]);
    const rewritten = { ...once, refining: { ...once.refining, kept: 2 } };
    expect(auditVerdict(rewritten)).toEqual([expect.stringContaining("have no images yet")]);
    const refused = {
      step: "paint-refined-lab-painter@1",
      of: "lab:painter",
      reason: "refused" as const,
      retryable: false,
      detail: "against the policy",
      count: 4,
    };
    expect(auditVerdict({ ...rewritten, unscored: [refused] })).toEqual([
      expect.stringContaining(
        "no image of a refined prompt was made (refused: against the policy)",
      ),
    ]);
    const text = await reportPage(auditReport(once).report());
    const [index] = (await drawnOverview(auditReport(once).overview())).tables;
    for (const { cells } of index?.rows ?? []) {
      expect(text).toContain(
        `<td class="number">${cells[2]}</td><td class="number">${cells[3]}</td>`,
      );
    }
    expect(text).toContain("there is no after");
    expect(once.cards.every(({ refined }) => refined === undefined)).toBe(true);
  });
});

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { makeSampleRun } from "../../../test/report/sample-run.js";
import type { TripletRow } from "../../analysis/pairs/triplets.js";
import { keyOf } from "../../core/keys.js";
import { openStore } from "../../files/open-store.js";
import { reportPage } from "../../report/pages/report-page.js";
import { readRunRecords } from "../run-records.js";
import { concludePrototypicality, reportWarnings } from "./conclude.js";
import type { PrototypicalityReport } from "./conclusion.js";
import { prototypicalityReport } from "./report.js";
import { reportVerdict } from "./verdict.js";

let directory = "";
let report: PrototypicalityReport;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "touchstone-"));
  await makeSampleRun(directory);
  report = await read(directory);
});
afterAll(() => rm(directory, { recursive: true }));

async function read(path: string, options: { readonly unfiltered?: boolean } = {}) {
  const run = await openStore(path);
  return concludePrototypicality({ run, name: "my run", resamples: 50, ...options });
}

describe("a report read from a run", () => {
  it("speaks of the filtered pairs first and shows the others beside them", () => {
    expect(report.selections.map(({ name }) => name)).toEqual([
      "filtered",
      "unfiltered",
      "truth-filtered",
    ]);
    const [filtered, unfiltered] = report.selections;
    expect(filtered.description).toContain("fake:rater rated both images 8 or more of 10");
    const n = (selection = filtered) => selection.metrics[0]?.overall.triplets.n ?? 0;
    expect(n()).toBeGreaterThan(0);
    expect(n()).toBeLessThan(n(unfiltered));
    const { kept = 0, pairs = 0 } = filtered.retention?.overall ?? {};
    expect(n()).toBe(kept);
    expect(reportVerdict(report).at(-1)).toContain(
      `The filter kept ${kept} of ${pairs} triplets; left out: `,
    );
    expect(unfiltered?.retention).toBeUndefined();
  });

  it("compares every metric with every other, by their own directions", () => {
    expect(report.metrics.map(({ metric }) => metric)).toEqual([
      "clip-score",
      "vqa-score",
      "distance",
    ]);
    expect(report.differences).toHaveLength(3);
    const rate = (at: number) =>
      report.selections[0].metrics[at]?.overall.triplets.failureRate.value ?? Number.NaN;
    const [, clipToDistance] = report.differences;
    expect(clipToDistance).toMatchObject({ metric: "clip-score", than: "distance" });
    expect(clipToDistance?.difference.value).toBeCloseTo(rate(0) - rate(2), 12);
  });

  it("shows cards whose scores, images and marks are those of the records", async () => {
    const run = await openStore(directory);
    const records = await readRunRecords(run);
    const scores = new Map(records.scores.map((score) => [String(score.key), score]));
    const images = new Map(records.images.map((image) => [String(image.key), image]));
    expect(report.cards.length).toBeGreaterThan(12);
    for (const card of report.cards) {
      const roles = [card.correct, card.adversarial].map(({ key }) => images.get(key)?.role);
      expect(roles).toEqual(
        {
          contrastive: ["correct", "adversarial"],
          "control-atypical": ["correct", "control-adversarial"],
          "control-typical": ["control-correct", "adversarial"],
          reversed: ["control-correct", "control-adversarial"],
        }[card.comparison],
      );
      for (const { correct, adversarial, outcome, metric } of card.scores) {
        const found = scores.get(correct.key ?? "");
        expect(found).toMatchObject({ of: card.correct.key, text: card.text, status: "done" });
        expect(found).toMatchObject({ metric, value: correct.value });
        const leads = (correct.value ?? 0) - (adversarial.value ?? 0);
        const better = metric === "distance" ? -leads : leads;
        expect(outcome).toBe(better > 0 ? "right" : better < 0 ? "wrong" : "tie");
      }
    }
  });

  it("says what is missing, by step, of whom and why", () => {
    const missing = report.unscored.map(({ step, of, reason }) => `${step} ${of} ${reason}`);
    expect(missing).toEqual(
      expect.arrayContaining([
        "paint-images@1 lab:squares@1 refused",
        "score-images@1 vqa-score with fake:vqa timeout",
      ]),
    );
    expect(report.leftOut).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          nonPrototype: "platypus",
          detail: expect.stringContaining("platypus"),
        }),
      ]),
    );
    const [prompts, images, scores] = report.provenance.records;
    expect(prompts).toMatchObject({ done: 30, unscored: 0 });
    expect(prompts?.leftOut).toBeGreaterThan(0);
    expect((images?.done ?? 0) + (images?.unscored ?? 0)).toBe(30 * 2 * 4);
    // Three metrics, a rater and a truth check of each image that was made.
    expect((scores?.done ?? 0) + (scores?.unscored ?? 0)).toBe((images?.done ?? 0) * 5);
  });

  it("carries what repeats it, and draws the page", async () => {
    expect(report.provenance).toMatchObject({
      seed: 7,
      software: ["0.0.0"],
      commands: ["touchstone demo --run sample"],
      runFolder: "'my run'",
    });
    expect(report.provenance.models).toEqual([
      { name: "lab:squares@1", steps: ["paint-images@1"] },
      { name: "fake:rater", steps: ["rate-images@1"] },
      { name: "lab:truth", steps: ["check-truth@1"] },
      ...["fake:dual", "fake:vqa", "fake:far"].map((name) => ({ name, steps: ["score-images@1"] })),
    ]);
    expect(report.provenance.intervals).toContain("50 resamples");
    expect(report.fromLab).toBe(true);
    const page = await reportPage(prototypicalityReport(report).report());
    expect(page).toContain("not &lt;b&gt;this&lt;/b&gt; one");
    expect(await read(directory)).toEqual(report);
  });
});

describe("a run that lacks something", () => {
  let other = "";
  beforeAll(async () => {
    other = await mkdtemp(join(tmpdir(), "touchstone-"));
  });
  afterAll(() => rm(other, { recursive: true }));

  it("has a report without filters where nothing was rated", async () => {
    await makeSampleRun(other, { isRated: false });
    const bare = await read(other);
    expect(bare.selections.map(({ name }) => name)).toEqual(["unfiltered"]);
    expect(await reportPage(prototypicalityReport(bare).report())).toContain(
      "as they were generated",
    );
  });

  it("is refused where its filter was planned and nothing was rated, unless all pairs are asked for", async () => {
    const begun = await mkdtemp(join(tmpdir(), "touchstone-"));
    await makeSampleRun(begun);
    await rm(join(begun, "seals"), { recursive: true });
    const records = join(begun, "records");
    for (const name of await readdir(records)) {
      if (name.includes("rate-images")) await rm(join(records, name));
    }
    await expect(read(begun)).rejects.toMatchObject({
      code: "incomplete",
      message: expect.stringMatching(/the filter kept none of \d+: animals 0 of \d+ \(image not/),
      hint: expect.stringContaining("--unfiltered"),
    });
    const all = await read(begun, { unfiltered: true });
    expect(all.selections.map(({ name }) => name)).toEqual([
      "unfiltered",
      "filtered",
      "truth-filtered",
    ]);
    await rm(begun, { recursive: true });
  });

  it("names a domain of which its filter kept nothing", async () => {
    const some = await mkdtemp(join(tmpdir(), "touchstone-"));
    await makeSampleRun(some, {
      rate: (_, text) => (/ (?:room|garden|street|table|counter|park) /.test(text) ? 1 : 9),
    });
    const { warnings, selections } = await read(some);
    expect(selections[0].name).toBe("filtered");
    expect(warnings.join("\n")).toMatch(
      /the filter kept none of the \d+ triplets of objects \(.*both images below the threshold: \d+.*\), so nothing filtered is about it/,
    );
    await rm(some, { recursive: true });
  });

  it("has a report that concludes nothing where nothing was scored", async () => {
    await rm(join(other, "seals"), { recursive: true });
    const records = join(other, "records");
    for (const name of await readdir(records)) {
      if (name.includes("score-images")) await rm(join(records, name));
    }
    const page = await reportPage(prototypicalityReport(await read(other)).report());
    expect(page).toContain('<p class="lead">Nothing can be concluded');
  });

  it("is refused where there is no benchmark in it", async () => {
    for (const name of await readdir(join(other, "records"))) {
      await rm(join(other, "records", name));
    }
    await expect(read(other)).rejects.toThrow(/Expected a run with the prompts of a benchmark/);
  });
});

const metricWith = (model: string) => ({
  id: `clip-score · ${model}@80dcc2a09671`,
  metric: "clip-score",
  version: 1,
  statistic: "cosine",
  model: `${model}@80dcc2a09671`,
  range: [0, 1] as const,
  direction: "higher" as const,
});

/** Pairs of thirty prompts of which every second one fails, without controls. */
const rowsOf = (metric: string): TripletRow[] =>
  Array.from({ length: 30 }, (_, at) => ({
    id: String(at),
    metric,
    domain: "animals",
    category: "species",
    nonPrototype: "platypus",
    prototype: "dog",
    knob: "count",
    prompt: keyOf(at),
    text: "A mammal.",
    sample: 0,
    comparison: "contrastive",
    correct: 0.5,
    adversarial: at % 2,
    images: { correct: keyOf("correct"), adversarial: keyOf("adversarial") },
  }));

test("metrics are named as tables name them, and what holds of both is said once", () => {
  const metrics = [metricWith("lab:one"), metricWith("lab:two")];
  const rows = metrics.flatMap(({ id }) => rowsOf(id));
  expect(reportWarnings(metrics, rows)).toEqual([
    "clip-score with lab:one and clip-score with lab:two: 30 of 30 prompts with triplets have no " +
      "control",
  ]);
});

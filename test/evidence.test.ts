import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { collectSet } from "../src/evidence/collect-set.js";
import { locateFiles } from "../src/evidence/locate-files.js";
import { evidenceSets, setsNamed } from "../src/evidence/sets.js";
import {
  figuresText,
  type ShippedFigures,
  shippedFigures,
} from "../src/evidence/shipped-figures.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

/** Data of others, which no clone has. */
const data =
  process.env.TOUCHSTONE_DATA ?? fileURLToPath(new URL("../../shared/data", import.meta.url));

test("figures are shipped of every set, and of no other", () => {
  expect(shippedFigures().sets.map(({ name }) => name)).toEqual(
    evidenceSets().map(({ name }) => name),
  );
  expect(evidenceSets().length).toBeGreaterThanOrEqual(16);
});

test("every printed figure names one that is computed, and a set of the same images exists", () => {
  for (const { name, printed, sameImagesAs } of evidenceSets()) {
    const shipped = shippedFigures().sets.find((one) => one.name === name);
    expect({ name, missing: shipped?.printed.filter(({ right }) => right === null) }).toEqual({
      name,
      missing: [],
    });
    expect(shipped?.printed.length).toBe(printed.length);
    if (sameImagesAs !== undefined) expect(() => setsNamed([sameImagesAs])).not.toThrow();
  }
});

describe("touchstone evidence", () => {
  test("answers without data, in one JSON object with every metric of every question", async () => {
    const { code, stdout, stderr } = await touchstoneHere(["evidence", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ version: 1, verdict: expect.any(String) });
    expect(found.sets).toContain("tifa160");
    const { sets, accuracyWithin, group } = found.metrics["VIEScore (GPT-4o)"].edits;
    expect({ sets, group }).toEqual({ sets: 3, group: 1 });
    expect(accuracyWithin.low).toBeLessThan(accuracyWithin.value);
    // Two sets are too few.
    expect(found.metrics["GPT-4o (pairwise)"].preference.accuracyWithin.value).toBeNull();
    // OpenFlamingo's published numbers all stand in for answers that could not be read.
    expect(found.metrics["VIEScore (OpenFlamingo)"].edits.sets).toBe(0);
  });

  test("begins with the verdict, and knows a metric by its beginning, and a name nearly right", async () => {
    const { stdout } = await touchstoneHere(["evidence", "--for", "edits"]);
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /^VIEScore \(GPT-4o\) agrees with people most on edits: .*; 2 of 4 others are significantly worse\. /,
    );
    const wrong = await touchstoneHere(["evidence", "--metric", "CLIPSkore"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('"CLIPScore"?') });
    const one = await touchstoneHere(["evidence", "--metric", "clipscor"]);
    expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining("tifa160") });
  });

  test("lists files with hashes, and says what is missing of a set", async () => {
    const { stdout } = await touchstoneHere(["evidence", "sets", "--json"]);
    const { sets } = JSON.parse(stdout);
    expect(sets.find(({ name }: { name: string }) => name === "tifa160")).toMatchObject({
      repository: "Yushi-Hu/tifa",
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      licence: "Apache-2.0",
      files: [{ path: expect.any(String), sha256: expect.any(String), bytes: 553467 }],
    });
    const empty = await temporaryDirectory();
    const found = await touchstoneHere(["evidence", "--from", empty, "--only", "tifa160"]);
    expect(found).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("evidence fetch tifa160"),
    });
  });
});

test("a set that forbids commercial use is said before it is fetched, and a failure ends with 3", async () => {
  const to = await temporaryDirectory();
  const { code, stderr } = await touchstoneHere([
    ...["evidence", "fetch", "mmrb2-editing", "--to", to],
    // Nothing listens on port 1.
    ...["--address", "http://127.0.0.1:1"],
  ]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/CC BY-NC 4\.0: no commercial use[\s\S]*did not arrive/);
});

const reason = existsSync(data) ? "" : `: skipped, no data in ${data}`;
describe.skipIf(reason !== "")(`on the published files${reason}`, () => {
  test("the shipped figures come out again", { timeout: 60_000 }, async () => {
    const located = await locateFiles(data, evidenceSets());
    const whole = located.filter(({ missing }) => missing.length === 0);
    expect(whole.map(({ set }) => set.name)).toContain("tifa160");
    for (const one of whole) {
      const found: ShippedFigures = JSON.parse(figuresText([await collectSet(one)]));
      const shipped = shippedFigures().sets.find(({ name }) => name === one.set.name);
      expect(found.sets).toEqual([shipped]);
    }
  });

  test("and are those of SciPy; a file that is written is named", async () => {
    const file = join(data, "tifa160");
    if (!existsSync(file)) return;
    const out = join(await temporaryDirectory(), "figures.json");
    const { stdout, stderr } = await touchstoneHere([
      ...["evidence", "--from", file, "--only", "tifa160", "--out", out],
    ]);
    expect(stderr).toContain(`Wrote ${out}`);
    expect(stdout).toContain("tifa160");
    const { n, cluster, people, metrics, printed } = JSON.parse(readFileSync(out, "utf8")).sets
      .tifa160;
    expect({ n, cluster, raters: people.raters }).toEqual({ n: 800, cluster: "prompt", raters: 2 });
    const { kendallTauB, spearman, pearson } = metrics["TIFA (mPLUG)"];
    expect(kendallTauB.value).toBeCloseTo(0.471716, 5);
    expect(spearman.value).toBeCloseTo(0.592188, 5);
    expect(pearson.value).toBeCloseTo(0.59672, 5);
    expect(printed).toContainEqual(
      expect.objectContaining({ printed: 0.59672, right: expect.closeTo(0.592188, 5) }),
    );
  });
});

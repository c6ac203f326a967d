import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeSampleRun } from "../../../../test/report/sample-run.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { sanitySkipped } from "../../../analysis/sanity/metric-sanity.js";
import { figureIds } from "../../../analysis/trust-card/trust-card-figure.js";
import { concludePrototypicality } from "../../../benchmarks/prototypicality/conclude.js";
import { openStore } from "../../../files/open-store.js";
import { displayWidth } from "../../terminal/wrap.js";

async function run(words: readonly string[], { stdin = "", workingDirectory = "/nowhere" } = {}) {
  return touchstoneHere(words, { workingDirectory, stdin });
}
const sample = async () => (await run(["example", "card"])).stdout;
const card = async (stdin: string, ...words: readonly string[]) =>
  run(["card", "-", "--resamples", "100", ...words], { stdin });

test("--json holds the promised keys", async () => {
  const { code, stdout } = await card(await sample(), "--json");
  expect(code).toBe(0);
  const [found] = JSON.parse(stdout).cards;
  expect(found.subject).toMatchObject({ name: "vqa-score", source: "standard input" });
  expect(Object.keys(found.figures)).toEqual([...figureIds]);
  expect(found.figures.attributeConfusion).toMatchObject({
    n: 7,
    unscored: 1,
    of: "swaps",
    estimate: { value: 0, unit: "share" },
    behind: { source: "standard input", rows: 8, examples: ["w1", "w2", "w3"] },
  });
  expect(found.figures.costPerImage).toMatchObject({ status: "not-measured", needs: ["cost"] });
  expect(found.figures.calibration.further).toHaveProperty("ece");
  expect(found.figures.overconfidence).toMatchObject({ status: "measured", n: 8 });
  const judged = Object.values<{ status: string; estimate?: { low: number; high: number } }>(
    found.figures,
  ).filter(({ estimate }) => estimate !== undefined);
  expect(judged).toHaveLength(9);
  for (const { estimate } of judged)
    expect(estimate?.low).toBeLessThanOrEqual(estimate?.high ?? -2);
  // The sample has pairs that a judge saw in both orders, too.
  const [, { figures, subject }] = JSON.parse(stdout).cards;
  expect(subject.name).toBe("pair-judge");
  expect(figures.positionBias).toMatchObject({ n: 16, of: "pairs" });
  expect(figures.noPreference).toMatchObject({ n: 8, status: "holds" });
  expect(figures.secondsPerImage).toMatchObject({ title: "time per pair", n: 16 });
});

test("text begins with the verdict, fits 100 columns and names what is missing", async () => {
  const { code, stdout } = await card(await sample());
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(
    /^Of 7 expectations vqa-score passes \d, fails \d.* and leaves \d undecided\./,
  );
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(100);
  expect(stdout).toMatch(/^ {2}failures \+ ½ .*< 15 %$/m);
  expect(stdout.replaceAll("\n  ", " ")).toMatch(
    /– not measured: prefers atypical wrong images, .* and cost per image\. --out card\.html says why, for each\.\n/,
  );
  const words = stdout.replace(/\s+/g, " ");
  expect(words).toContain(
    "It chooses the image shown first 20.3 points more often than half the time, over both orders.",
  );
  expect(words).toContain(
    "Agreement passes against a coin only. Position bias, above, is of its probabilities, not of its choices.",
  );
  expect(lines.at(-1)).toContain("touchstone card - --resamples 100 --out card.html");
});

test("--out writes each form, and what stands in the table can't become markup", async () => {
  const workingDirectory = await temporaryDirectory();
  const one = (await sample()).replace(/^pair-judge.*\n/gm, "");
  const stdin = one.replaceAll("vqa-score", "<b>m</b>");
  const written = async (name: string) => {
    const words = ["card", "-", "--resamples", "100", "--out", name];
    expect((await run(words, { stdin, workingDirectory })).code).toBe(0);
    return readFile(join(workingDirectory, name), "utf8");
  };
  const page = await written("card.html");
  expect(page).toContain("Trust card: &lt;b&gt;m&lt;/b&gt;");
  expect(page).not.toContain("<b>m</b>");
  expect(page).not.toMatch(/<script|src="http/);
  for (const text of ["failures + ½ ties", "a tie counted as half (a coin&#39;s share)", "ties"]) {
    expect(page).toContain(text);
  }
  expect(await written("card.md")).toContain("| repeatability |");
  expect(await written("card.md")).toContain("| attribute confusion: failures + ½ ties |");
  expect(await written("card.csv")).toContain(
    ",repeatability,variance of scores due to asking again,",
  );
  expect(await written("card.csv")).toMatch(/,attributeConfusion,.*,7,1,0,0,0,0,0\.34/);
  expect(JSON.parse(await written("card.json")).cards).toHaveLength(1);
});

test("what differs by rounding ties, by a tolerance that the card names", async () => {
  const rows = Array.from({ length: 8 }, (_, at) => ({
    id: String(at),
    metric: "bag of words",
    comparison: "attribute-swap",
    correct: 0.27,
    adversarial: 0.27 - 1e-9,
  }));
  const found = async (...words: readonly string[]) =>
    JSON.parse((await card(JSON.stringify(rows), "--json", ...words)).stdout).cards[0];
  const near = await found();
  expect(near.method).toContain("scores within 1e-6 (relative) count as ties");
  expect(near.figures.attributeConfusion.further).toMatchObject({
    strictFailureRate: { value: 0 },
    tieRate: { value: 1 },
    failuresAndHalfTies: { value: 0.5 },
  });
  const exact = await found("--tie-tolerance", "0");
  expect(exact.method).toContain("only equal scores tie");
  expect(exact.figures.attributeConfusion.further.tieRate.value).toBe(0);
  const { stdout } = await card(JSON.stringify(rows), "--tie-tolerance", "0");
  expect(stdout).toContain("touchstone card - --tie-tolerance 0 ");
});

test("several metrics have a card each, and columns may have other names", async () => {
  const rows = ["a", "b"].flatMap((metric) =>
    Array.from({ length: 12 }, (_, at) => `${metric},${at},${metric === "a" ? at : -at},${at}`),
  );
  const { code, stdout } = await card(
    `metric,id,value,human\n${rows.join("\n")}\n`,
    ...["--map", "score=value", "--json"],
  );
  expect(code).toBe(0);
  const { cards } = JSON.parse(stdout);
  const statuses = cards.map(
    (one: { figures: Record<string, { status: string }> }) => one.figures.agreement?.status,
  );
  expect(statuses).toEqual(["holds", "fails"]);
});

test("wrong input ends with 2 and says what to do", async () => {
  expect(await run(["card"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("touchstone card --metric vqa-score --model lab:vqa"),
  });
  expect(await card("id,other\n1,2\n")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--map score=my_column"),
  });
  expect(await card("id,score,level\n1,0.5,2.5\n")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("a whole number of at least 0 or nothing for level"),
  });
  expect(await card("id,score,degradation\n1,0.5,fog\n")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("contrast, motion-blur, brightness, occlusion, noise"),
  });
  expect(await card("id,score\n1,0.5\n", "--metric", "vqa-score")).toMatchObject({ code: 2 });
  for (const judge of ["nope:x", "nope"]) {
    expect((await run(["card", "--judge", judge])).stderr).toContain(
      `for --judge but received "nope"`,
    );
  }
});

test("asks a metric about pictures of the lab, degraded ones too, and goes on where it was", async () => {
  const workingDirectory = await temporaryDirectory();
  await writeFile(join(workingDirectory, "brightness.mjs"), metricModule);
  const words = ["card", "--metric", "./brightness.mjs", "--pictures", "6", "--resamples", "100"];
  const first = await run([...words, "--run", "kept", "--json"], { workingDirectory });
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const { figures, subject } = JSON.parse(first.stdout).cards[0];
  expect(subject.source).toContain("kept in kept/card-scores.jsonl");
  // Brighter pictures have more of it; it does not read the text, so that every swap is a tie.
  expect(figures.monotonicityBrightness).toMatchObject({ status: "fails", n: 6 });
  expect(figures.monotonicityBrightness.estimate.value).toBe(1);
  expect(figures.attributeConfusion).toMatchObject({
    status: "fails",
    estimate: { value: 0 },
    further: { tieRate: { value: 1 } },
  });
  expect(figures.paraphraseSpread).toMatchObject({
    // Of six images that no wording moves, 39 % of others may be moved yet: 1 - 0.05^(1/6).
    status: "undecided",
    estimate: { value: 0, oneSided: { high: expect.closeTo(0.393, 3) } },
  });
  expect(figures.repeatability).toMatchObject({ n: 6, estimate: { value: 0 } });
  expect(figures.prototypicality.n).toBe(6);
  expect(figures.calibration.status).toBe("not-applicable");
  expect(figures.positionBias.status).toBe("not-applicable");

  const path = join(workingDirectory, "kept", "card-scores.jsonl");
  const kept = await readFile(path, "utf8");
  const lines = kept.trimEnd().split("\n");
  // Killed while it wrote: the last rows are gone, one half of them.
  await writeFile(path, `${lines.slice(0, -3).join("\n")}\n`);
  await appendFile(path, (lines.at(-3) ?? "").slice(0, 40));
  const second = await run([...words, "--run", "kept", "--json"], { workingDirectory });
  expect(second.stdout).toBe(first.stdout);
  expect(await readFile(path, "utf8")).toBe(kept);
  // What was kept is a table like any other.
  const table = await run(["card", "kept/card-scores.jsonl", "--resamples", "100", "--json"], {
    workingDirectory,
  });
  expect(JSON.parse(table.stdout).cards[0].figures.monotonicityNoise.estimate).toEqual(
    figures.monotonicityNoise.estimate,
  );
});

test("a model of the lab's takes degraded pictures and every wording for what they are", async () => {
  const { code, stdout } = await run(
    [
      ...["card", "--metric", "vqa-score", "--model", "lab:vqa", "--pictures", "2"],
      ...["--resamples", "100", "--json"],
    ],
    { workingDirectory: await temporaryDirectory() },
  );
  expect(code).toBe(0);
  const [{ figures, unscored }] = JSON.parse(stdout).cards;
  expect(unscored).toBe(0);
  expect(figures.monotonicityOcclusion).toMatchObject({ n: 2, unscored: 0, status: "undecided" });
  expect(figures.calibration.n).toBe(2);
  expect(figures.secondsPerImage.estimate.value).toBeGreaterThan(0);
});

test("asks a judge about pairs of the lab's pictures in both orders, and goes on where it was", async () => {
  const workingDirectory = await temporaryDirectory();
  const words = ["card", "--judge", "lab:judge", "--pictures", "4", "--wordings", "2"];
  const more = [...words, "--resamples", "100", "--run", "kept", "--json"];
  const first = await run(more, { workingDirectory });
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const [{ figures, subject, unscored }] = JSON.parse(first.stdout).cards;
  expect(subject).toMatchObject({ name: "lab:judge", isPairwise: true });
  expect(unscored).toBe(0);
  const path = join(workingDirectory, "kept", "card-scores.jsonl");
  const kept = await readFile(path, "utf8");
  const rows = kept
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const equal = rows.filter((row) => row.equal === 1);
  expect(figures.positionBias).toMatchObject({ n: rows.length, unscored: 0, of: "pairs" });
  expect(figures.noPreference).toMatchObject({ n: equal.length, unscored: 0 });
  expect(figures.agreement).toMatchObject({ n: rows.length - equal.length, of: "pairs" });
  // Two wordings of each pair; both kinds of pairs are there, and no picture is judged by its score.
  expect(new Set(rows.map(({ paraphrase }) => paraphrase)).size).toBe(2);
  expect(rows.length % 2).toBe(0);
  expect(Math.min(equal.length, rows.length - equal.length)).toBeGreaterThan(0);
  expect(figures.repeatability.status).toBe("not-measured");
  // All but the first, which loads the model.
  expect(figures.secondsPerImage).toMatchObject({ title: "time per pair", n: rows.length - 1 });
  expect(figures.secondsPerImage.estimate.value).toBeGreaterThan(0);
  expect(figures.costPerImage).toMatchObject({ title: "cost per pair", status: "not-measured" });
  const mean = (numbers: readonly number[]) =>
    numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  expect(figures.positionBias.estimate.value).toBeCloseTo(
    mean(rows.map((row) => (row.first + row.turned) / 2)) - 0.5,
    12,
  );
  expect(figures.noPreference.estimate.value).toBeCloseTo(
    mean(equal.flatMap((row) => [row.first, row.turned].map((p) => Math.max(p, 1 - p)))),
    12,
  );

  await writeFile(path, `${kept.trimEnd().split("\n").slice(0, -3).join("\n")}\n`);
  // Times alone are others.
  const resumed = JSON.parse((await run(more, { workingDirectory })).stdout).cards[0].figures;
  expect({ ...resumed, secondsPerImage: null }).toEqual({ ...figures, secondsPerImage: null });
  const untimed = (text: string) => text.replace(/,"seconds":[\d.e-]+/g, "");
  expect(untimed(await readFile(path, "utf8"))).toBe(untimed(kept));
  // What was kept is a table like any other.
  const table = await run(["card", path, "--resamples", "100", "--json"], { workingDirectory });
  const [again] = JSON.parse(table.stdout).cards;
  for (const id of ["positionBias", "noPreference", "agreement", "calibration"]) {
    expect(again.figures[id].estimate.value).toBe(figures[id].estimate.value);
  }
});

test("pairs that a judge of one's own judged have their figures, or say which columns they lack", async () => {
  const rows = [1, 2, 3, 4, 5, 6, 7].map(
    (at) => `${at},caption ${at},${0.9 + (at - 4) / 100},0.6,${at % 2}`,
  );
  const { stdout } = await card(
    `id,prompt,p,q,equal\n${rows.join("\n")}\n`,
    ...[...["--map", "first=p", "--map", "turned=q", "--json"]],
  );
  const { figures } = JSON.parse(stdout).cards[0];
  expect(figures.positionBias).toMatchObject({ n: 7, status: "fails" });
  expect(figures.positionBias.estimate.value).toBeCloseTo(0.25, 12);
  expect(figures.noPreference).toMatchObject({ n: 4 });
  expect(figures.noPreference.estimate.value).toBeCloseTo(0.75, 12);
  const without = await card("id,first,turned\n1,0.5,0.5\n", "--json");
  expect(JSON.parse(without.stdout).cards[0].figures.noPreference.sentence).toBe(
    "Needs the columns first, turned and equal.",
  );
  expect(await card("id,first\n1,0.5\n")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("or first and turned"),
  });
  expect(await run(["card", "--judge", "lab:rater"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("In the lab lab:judge"),
  });
  // The first can't be loaded without a network: the second is refused before.
  const first = ["--judge", "transformers-js:vlm:nobody/none"];
  expect(await run(["card", ...first, "--judge", "lab:rater"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("for --judge but received lab:rater"),
  });
  expect(await run(["card", "--judge", "lab:vqa", "--pictures", "2"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("for --judge but received"),
  });
});

test("a run tells what it holds of each of its metrics and what its checks found, by records that explain knows", async () => {
  const workingDirectory = await temporaryDirectory();
  await makeSampleRun(join(workingDirectory, "run"));
  await writeFile(join(workingDirectory, "run/sanity.json"), JSON.stringify(foundByChecks));
  const words = ["card", "run", "--resamples", "100"];
  const { code, stdout } = await run([...words, "--json"], { workingDirectory });
  expect(code).toBe(0);
  const { cards } = JSON.parse(stdout);
  expect(cards.map(({ subject }: { subject: { name: string } }) => subject.name)).toEqual([
    ...["clip-score (fake:dual)", "vqa-score (fake:vqa)", "distance (fake:far)"],
  ]);
  expect(cards[1].notes).toContain("vqa-score (fake:vqa) reads nothing (– of 8).");
  expect(cards[1].warnings[0]).toBe("Whether fake:vqa@0123 sees images is unclear (7 of 16).");
  expect(JSON.stringify(cards[0])).not.toMatch(/reads|sees/);
  const { prototypicality, calibration, repeatability, agreement } = cards[1].figures;
  const effect = (await reported(workingDirectory)).find(
    ({ metric }: { metric: string }) => metric === "vqa-score",
  )?.overall;
  expect(prototypicality).toMatchObject({
    n: effect?.triplets.n,
    unscored: effect?.triplets.unscored,
    estimate: { value: effect?.effect.value },
  });
  expect(agreement.estimate.name).toBe("pairs in the order of the generator's truth");
  expect(calibration.n).toBe(agreement.n);
  expect(cards[0].figures.calibration.status).toBe("not-applicable");
  expect(repeatability.sentence).toContain("touchstone card --metric vqa-score --model");
  const [key] = prototypicality.behind.examples;
  const explained = await run(["run", "explain", key, "--run", "run", "--json"], {
    workingDirectory,
  });
  expect(JSON.parse(explained.stdout).record.metric).toBe("vqa-score");
});

/** What sanity checks found of a run's metrics: one that reads nothing, one that was not checked. */
const foundByChecks = {
  models: {
    "fake:vqa@0123": { sight: { state: "unclear", right: 7, of: 16 } },
    "fake:dual": { sight: { state: "exempt", right: 0, of: 0 } },
  },
  metrics: {
    "vqa-score=fake:vqa": {
      ...sanitySkipped,
      items: 8,
      findings: [{ kind: "ignores-text", severity: "defect", text: "reads nothing" }],
      state: "defect",
    },
    "clip-score=fake:dual": sanitySkipped,
  },
};

/** Concludes the run's metrics for the pairs that its verdict is about. */
async function reported(workingDirectory: string) {
  const directory = join(workingDirectory, "run");
  const report = await concludePrototypicality({
    run: await openStore(directory),
    name: "run",
    resamples: 100,
  });
  return report.selections[0].metrics;
}

const metricModule = `export default {
  name: "brightness",
  range: [0, 255],
  direction: "higher",
  async score({ image }) {
    const { data } = await image.pixels();
    return data.reduce((sum, value) => sum + value, 0) / data.length;
  },
};
`;

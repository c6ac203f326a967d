import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedRun } from "../../../test/support/generated-run.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { correlation } from "../../analysis/correlation/correlation.js";
import { type ExcludedTriplets, tripletOf } from "../../analysis/pairs/image-pairs.js";
import { RunView } from "../run-view.js";
import { openIndex } from "../runs.js";
import { changedImages } from "./changed-images.js";
import { compareRuns } from "./compare-runs.js";

const options = { images: 80, side: 8, metrics: 2 };

async function named(name: string, directory: string) {
  const index = await openIndex(directory);
  await index.refresh();
  const excluded: ExcludedTriplets = new Map();
  return { id: name, name, view: new RunView(index), excluded };
}

test("two runs of the same images differ where their scores do, and what flipped is counted", async () => {
  const root = await temporaryDirectory();
  const old = await generatedRun(join(root, "old"), options);
  const now = await generatedRun(join(root, "now"), { ...options, seed: "other" });
  const [one, other] = [await named("old", old.directory), await named("now", now.directory)];
  const { models, metrics } = compareRuns([one, other]);
  expect(models).toEqual(["old", "now"]);
  expect(metrics.map(({ name }) => name)).toEqual(["clip-score", "vqa-score"]);
  const [clip] = metrics;
  const scored = old.scores.flatMap((score) =>
    score.metric === "clip-score" && score.status === "done" ? [score.value] : [],
  );
  expect(clip?.means.old?.n).toBe(scored.length);
  expect(clip?.means.old?.value).toBeCloseTo(
    scored.reduce((sum, value) => sum + value, 0) / scored.length,
    12,
  );
  expect(clip?.images.old).toMatchObject({ run: "old", column: expect.any(String) });
  const { shared = 0, nowRight = 0, nowWrong = 0, items = [] } = clip?.flips ?? {};
  expect(shared).toBeGreaterThan(20);
  expect(nowRight).toBeGreaterThan(0);
  expect(nowWrong).toBeGreaterThan(0);
  expect(items).toHaveLength(nowRight + nowWrong);
  // The other way round, what became right became wrong.
  expect(compareRuns([other, one]).metrics[0]?.flips).toMatchObject({
    shared,
    nowRight: nowWrong,
    nowWrong: nowRight,
  });
});

test("a triplet that was excluded by hand is in no figure, and is said", async () => {
  const { directory, images } = await generatedRun(join(await temporaryDirectory(), "run"), {
    ...options,
    people: true,
  });
  const run = await named("run", directory);
  const all = compareRuns([run]).metrics[0];
  const [first] = images;
  const excluded = new Map(first === undefined ? [] : [[tripletOf(first), "two birds"]]);
  const compared = compareRuns([{ ...run, excluded }]);
  const left = compared.metrics[0];
  const counted = (metric: typeof all) => Object.values(metric?.means ?? {})[0]?.n ?? 0;
  expect(counted(left)).toBeLessThan(counted(all));
  expect(left?.people?.n ?? 0).toBeLessThan(all?.people?.n ?? 0);
  expect(compared.excluded).toEqual(["1 triplet is excluded by hand: two birds (1)"]);
});

test("a run beside itself has no flips, and alone it compares its generators", async () => {
  const { directory } = await generatedRun(join(await temporaryDirectory(), "run"), options);
  const run = await named("run", directory);
  const [metric] = compareRuns([run, { ...run, name: "again" }]).metrics;
  expect(metric?.flips).toMatchObject({ nowRight: 0, nowWrong: 0 });
  expect(metric?.flips?.shared).toBeGreaterThan(20);
  const alone = compareRuns([run]);
  expect(alone.models).toHaveLength(1);
  expect(alone.metrics[0]?.flips).toBeNull();
});

test("people stand beside the metrics, each with how well it follows them", async () => {
  const directory = join(await temporaryDirectory(), "run");
  const made = await generatedRun(directory, { ...options, people: true });
  const { metrics } = compareRuns([await named("run", directory)]);
  expect(metrics.map(({ name }) => name)).toEqual(["clip-score", "vqa-score", "people"]);
  expect(metrics.at(-1)?.people).toBeNull();
  const of = (metric: string) =>
    new Map(
      made.scores.flatMap((score) =>
        score.metric === metric && score.status === "done" ? [[score.of, score.value]] : [],
      ),
    );
  const [theirs, its] = [of("people"), of("vqa-score")];
  const prompts = new Map(made.images.map(({ key, prompt, role }) => [key, `${prompt} ${role}`]));
  const rows = [...theirs].map(([id, human]) => ({
    id,
    prompt: prompts.get(id) ?? "",
    human,
    scores: [its.get(id) ?? null],
  }));
  const { kendallTauB, pairwiseAccuracy, n } =
    correlation({ human: "people", metrics: ["vqa-score"], rows }, { resamples: 2 }).metrics[
      "vqa-score"
    ] ?? {};
  const { people } = metrics[1] ?? {};
  expect(people).toMatchObject({
    n,
    kendallTauB: { value: kendallTauB?.value },
    pairwiseAccuracy: { value: pairwiseAccuracy?.value },
  });
  expect(people?.kendallTauB.low).toBeLessThan(people?.kendallTauB.value ?? 0);
  expect(n).toBeGreaterThan(20);
});

test("images for the same text and seed are compared pixel by pixel, with what metrics say of both", async () => {
  const root = await temporaryDirectory();
  const old = await generatedRun(join(root, "old"), { ...options, images: 40 });
  const now = await generatedRun(join(root, "now"), { ...options, images: 40, seed: "other" });
  const runs = [await named("old", old.directory), await named("now", now.directory)] as const;
  const { pairs, compared, changed, most } = await changedImages(runs);
  const made = ({ images }: typeof old) => images.filter(({ status }) => status === "done");
  const seedsOf = (run: typeof old) =>
    new Set(made(run).map(({ text, seed }) => JSON.stringify([text, seed])));
  const [before, after] = [seedsOf(old), seedsOf(now)];
  expect(pairs).toBe([...before].filter((seed) => after.has(seed)).length);
  expect(compared).toBe(pairs);
  expect(changed).toBeLessThanOrEqual(pairs);
  for (const pair of most) {
    expect(pair.scores.map(({ metric }) => metric)).toEqual(["clip-score", "vqa-score"]);
  }
  const itself = await changedImages([runs[0], runs[0]]);
  expect(itself).toMatchObject({ pairs: made(old).length, changed: 0, most: [] });
  const [damaged] = made(old);
  const hash = damaged?.status === "done" ? damaged.image : "";
  await writeFile(join(old.directory, "blobs", hash.slice(0, 2), `${hash}.jpg`), "no image");
  const { length } = made(old);
  const rest = { pairs: length, compared: length - 1, unreadable: 1 };
  expect(await changedImages([runs[0], runs[0]])).toMatchObject(rest);
});

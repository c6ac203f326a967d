import { beforeAll, describe, expect, test } from "vitest";
import { labPainter } from "../../../packages/lab/src/painter/lab-painter.js";
import { painterNames } from "../../../packages/lab/src/painter/painters.js";
import { labPairs } from "../../../packages/lab/src/preference-pairs.js";
import { faultCount } from "../../../packages/lab/src/truth/fault-count.js";
import { MemoryRun } from "../../../test/support/memory-run.js";
import type { RecordOf } from "../../core/records.js";
import { buildPairs, countFaults, paintPairs } from "./build-pairs.js";
import { preferenceRows } from "./preference-rows.js";

const view = (run: MemoryRun) => ({
  async *ofType(type: string) {
    for (const record of run.records) if (record.type === type) yield record as never;
  },
});

describe("pairs of the lab's", () => {
  const run = new MemoryRun();
  const painters = new Map(
    painterNames().map((name) => [`lab:painter-${name}`, labPainter({ name })]),
  );
  let pairs: RecordOf<"pair">[];
  beforeAll(async () => {
    pairs = await run.do(
      buildPairs({ source: labPairs, seed: 3, count: 18, styles: ["noto", "twemoji"] }),
    );
    for (const step of paintPairs({ painters })) await run.do(step);
    await run.do(countFaults({ truth: faultCount }));
  });

  test("are of one caption, painted twice in one style by painters of different quality", () => {
    expect(pairs).toHaveLength(18);
    let painted = 0;
    for (const pair of pairs) {
      const images = run.records.filter((one) => one.type === "image" && one.prompt === pair.key);
      expect(images).toHaveLength(2);
      // A scene that finds no layout is refused.
      for (const { key, status } of images) {
        if (status !== "done") continue;
        painted += 1;
        expect(run.truths.get(key)).toMatchObject({ style: pair.style });
      }
      expect([pair.painterA, pair.painterB].sort()[0]).toMatch(/-[ab]$/);
      expect([pair.painterA, pair.painterB].sort()[1]).toMatch(/-[de]$/);
    }
    expect(painted).toBeGreaterThan(30);
    const subjects = pairs.map((pair) => (pair.status === "done" ? pair.subject : ""));
    expect(subjects.slice(0, 4)).toEqual(["people", "animals", "things", "people"]);
    expect(new Set(pairs.map(({ style }) => style))).toEqual(new Set(["noto", "twemoji"]));
    expect(new Set(pairs.map(({ painterA }) => painterA.at(-1))).size).toBeGreaterThan(2);
  });

  test("come with the picture in which less is wrong, as its painter knows", async () => {
    const { rows, unscored } = await preferenceRows(view(run));
    expect(rows.length + unscored).toBe(18);
    expect(rows.length).toBeGreaterThan(15);
    expect(new Set(rows.map(({ preferred }) => preferred)).size).toBe(3);
    for (const { id, preferred, wrongA, wrongB, imageA } of rows) {
      expect(preferred).toBe(wrongA === wrongB ? "tie" : wrongA < wrongB ? "a" : "b");
      const image = run.records.find(
        (one) => one.type === "image" && one.prompt === id && one.role === "a",
      );
      expect(image).toMatchObject({ image: imageA });
      // Who erred says so, and who did not has nothing wrong.
      const truth = run.truths.get(image?.key ?? ("" as never)) as { defects: string[] };
      if (truth.defects.length === 0) expect(wrongA).toBe(0);
      if (wrongA > 0) expect(truth.defects).not.toEqual([]);
    }
  });

  test("are the same for a seed, and the fewer the first of the more", async () => {
    const again = new MemoryRun();
    const step = buildPairs({ source: labPairs, seed: 3, count: 5, styles: ["noto", "twemoji"] });
    const outcome = (all: readonly RecordOf<"pair">[]) => all.map(({ key: _, ...rest }) => rest);
    expect(outcome(await again.do(step))).toEqual(outcome(pairs.slice(0, 5)));
    const other = await again.do(buildPairs({ source: labPairs, seed: 4, count: 5 }));
    expect(other.map((one) => one.status === "done" && one.caption)).not.toEqual(
      pairs.slice(0, 5).map((one) => one.status === "done" && one.caption),
    );
  });
});

test("a pair of which one picture is missing is counted, and in no row", async () => {
  const run = new MemoryRun();
  await run.do(buildPairs({ source: labPairs, seed: 0, count: 2 }));
  expect(await preferenceRows(view(run))).toEqual({ rows: [], unscored: 2 });
});

test("an unknown style is refused", () => {
  expect(() => buildPairs({ source: labPairs, seed: 0, count: 1, styles: ["oil"] })).toThrow(
    'Expected one of fluent, noto, twemoji for the style but received "oil"',
  );
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedRun } from "../../test/support/generated-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { sanityName } from "../analysis/sanity/sanity-text.js";
import { runDetail } from "./run-detail.js";
import type { RunIndex } from "./run-index.js";
import { RunView } from "./run-view.js";
import { openIndex } from "./runs.js";

test("a run whose reading ends while it is told of says that it is whole only with its columns", async () => {
  const { directory } = await generatedRun(await temporaryDirectory(), { images: 8, metrics: 2 });
  const index = await openIndex(directory);
  await index.refresh();
  const found = { id: "run", name: "run", place: directory };
  const whole = await runDetail(found, new RunView(index), directory);
  expect(whole.index.isReady).toBe(true);
  expect(whole.columns).toHaveLength(2);
  const ending = await runDetail(found, new RunView(readyAtSecondLook(index)), directory);
  expect(ending.columns.length > 0).toBe(ending.index.isReady);
});

test("a run's page says what its metrics read, and marks one that does not, and a model that may not see", async () => {
  const { directory } = await generatedRun(await temporaryDirectory(), { images: 8, metrics: 2 });
  const index = await openIndex(directory);
  await index.refresh();
  const found = { id: "run", name: "run", place: directory };
  const unchecked = await runDetail(found, new RunView(index), directory);
  expect(unchecked.sanity).toBeUndefined();
  const [column] = unchecked.columns;
  if (column === undefined) throw new Error("Expected a column");
  const findings = [{ kind: "ignores-text", severity: "defect", text: "reads nothing" }];
  const metrics = { [sanityName(column)]: { state: "defect", findings } };
  const models = { "test:scores@0123": { sight: { state: "unclear", right: 7, of: 16 } } };
  const kept = { models, metrics, verdict: "It reads nothing.", answers: {} };
  await writeFile(join(directory, "sanity.json"), JSON.stringify(kept));
  const detail = await runDetail(found, new RunView(index), directory);
  expect(detail.sanity).toBe("It reads nothing.");
  expect(detail.columns.map(({ defect }) => defect)).toEqual(["reads nothing", undefined]);
  const text = "Whether test:scores@0123 sees images is unclear (7 of 16).";
  expect(detail.columns.map(({ unseeing }) => unseeing)).toEqual([text, text]);
  kept.models["test:scores@0123"].sight.state = "sees";
  await writeFile(join(directory, "sanity.json"), JSON.stringify(kept));
  const seeing = await runDetail(found, new RunView(index), directory);
  expect(seeing.columns.map(({ unseeing }) => unseeing)).toEqual([undefined, undefined]);
});

function readyAtSecondLook(index: RunIndex): RunIndex {
  let looks = 0;
  return new Proxy(index, {
    get(target, name) {
      if (name === "progress") return { ...target.progress, isReady: looks++ > 0 };
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

import { expect, test } from "vitest";
import { generatedRun } from "../../test/support/generated-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
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

import { join } from "node:path";
import { expect, test } from "vitest";
import { makeConfusionRun } from "../../test/report/confusion-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { openStore } from "../files/open-store.js";
import { concludeConfusion } from "./attribute-confusion/conclude.js";
import { readRunCards } from "./run-cards.js";

test("the swap test of a run's cards is about the images that its report counts", async () => {
  const directory = join(await temporaryDirectory(), "run");
  await makeConfusionRun(directory, { count: 8, painters: ["e"] });
  const run = await openStore(directory);
  const { selections } = await concludeConfusion({ run, name: "run", resamples: 20 });
  const [{ images, swap }] = selections;
  expect(images).toBeLessThan(8);
  for (const { metric, rows, selection } of await readRunCards(run, "run")) {
    expect(selection).toBe("images that show what they should, by its reference");
    const swaps = rows.filter(({ comparison }) => comparison === "attribute-swap");
    expect(swaps).toHaveLength(images);
    const fails = swaps.filter(({ correct, adversarial }) => (adversarial ?? 0) > (correct ?? 0));
    expect(fails.length / images).toBeCloseTo(
      swap.metrics[metric.id]?.overall.failureRate.value ?? Number.NaN,
    );
  }
});

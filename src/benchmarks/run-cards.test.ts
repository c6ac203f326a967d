import { join } from "node:path";
import { expect, test } from "vitest";
import { makeConfusionRun } from "../../test/report/confusion-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { openStore } from "../files/open-store.js";
import { concludeConfusion } from "./attribute-confusion/conclude.js";
import { readRunCards, runTrustCards } from "./run-cards.js";

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

test("a run's cards take the time of each score, once, from its trace", async () => {
  const directory = join(await temporaryDirectory(), "run");
  await makeConfusionRun(directory, { count: 8, painters: ["e"] });
  const run = await openStore(directory);
  for (const { rows } of await readRunCards(run, "run")) {
    const timed = rows.filter(({ seconds }) => seconds !== undefined);
    const records = new Set(rows.map(({ record }) => record));
    expect(timed).toHaveLength(records.size);
    expect(new Set(timed.map(({ record }) => record))).toEqual(records);
  }
  const [card] = await runTrustCards(run, "run", { resamples: 20 });
  expect(card?.figures.secondsPerImage.status).toBe("measured");
  // Nothing was asked of a provider.
  expect(card?.figures.costPerImage.status).toBe("not-measured");
});

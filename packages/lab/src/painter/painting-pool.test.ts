import { expect, test } from "vitest";
import { noDefects } from "./defect-rates.js";
import { paintPrompt } from "./painter.js";
import { paintAnywhere } from "./painting-pool.js";

const task = (prompt: string, seed: number) => ({
  prompt,
  seed,
  rates: noDefects,
  skew: undefined,
});
const cat = task("A cat is in a park.", 7);

test("whoever paints, here or in a worker, paints the same", async () => {
  const painted = await Promise.all(Array.from({ length: 44 }, () => paintAnywhere(cat)));
  const own = await paintPrompt(cat);
  for (const { bytes, truth } of painted) {
    expect(Buffer.compare(bytes, own.bytes)).toBe(0);
    expect(truth).toEqual(own.truth);
  }
});

// By now the workers paint.
test("a worker says why there is no picture, as it is said here", async () => {
  const odd = task("A zeppelin is in a park.", 1);
  const here = await paintPrompt(odd).catch((error: unknown) => error);
  const there = await paintAnywhere(odd).catch((error: unknown) => error);
  expect(there).toEqual(here);
  expect(there).toMatchObject({ name: "NoAnswer", reason: "not-applicable" });
});

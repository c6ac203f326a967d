import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { expect, test } from "vitest";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstone } from "./support/touchstone.js";

// A million under 256 MB: node bench/million-rows.mjs
test("100,000 contrastive rows need a heap of 52 MB", async () => {
  const path = join(await temporaryDirectory(), "rows.jsonl");
  const file = createWriteStream(path);
  const count = 100_000;
  for (let row = 0; row < count; row++) {
    const values = {
      id: `pair-number-${row}`,
      metric: "clip-score-of-a-long-name",
      domain: "animals",
      correct: (row % 8) / 10,
      adversarial: 0.5,
    };
    file.write(`${JSON.stringify(values)}\n`);
  }
  file.end();
  await finished(file);
  const { code, stdout, stderr } = await touchstone(
    ["analyze", "contrastive", path, "--json", "--interval", "delta"],
    { variables: { NODE_OPTIONS: "--max-old-space-size=52" } },
  );
  expect({ code, stderr: stderr.slice(0, 500) }).toEqual({ code: 0, stderr: "" });
  const { overall } = JSON.parse(stdout).metrics["clip-score-of-a-long-name"];
  expect(overall).toMatchObject({ n: count, ties: count / 8, failureRate: { value: 6 / 8 } });
});

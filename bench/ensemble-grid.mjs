// The paper's grid, 52,200 experiments with a closed-form objective, on 14,400 pairs and 20 prompts: how
// long it takes from a table of answers to the printed tables. No peer does this; the aim is 30 s on two
// processors. The first argument is the number of workers (default: one for each processor).
//
//   node bench/ensemble-grid.mjs [WORKERS]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { randomFrom } from "../dist/core/random.js";

const [testPairs, poolPairs, prompts, dimensions, kinds] = [14_400, 4096, 20, 32, 12];
const workers = Number(process.argv[2] ?? availableParallelism());

/** Prompts that are good on different kinds of image, and surer than right. */
function answers() {
  const random = randomFrom(0, "ensemble grid bench");
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const centres = Array.from({ length: kinds }, () => Array.from({ length: dimensions }, normal));
  const skills = Array.from({ length: prompts }, () =>
    Array.from({ length: kinds }, () => (random.chance(0.4) ? 2 : random.chance(0.2) ? -0.5 : 0.5)),
  );
  const lines = [];
  for (let at = 0; at < testPairs + poolPairs; at++) {
    const kind = random.integer(kinds);
    const label = random.integer(2);
    const ease = 0.2 + random.next();
    const shared = 0.8 * normal();
    lines.push(
      JSON.stringify({
        id: at,
        split: at < testPairs ? "test" : "validation",
        group: at < testPairs ? `test ${Math.floor(at / 36)}` : `pool ${at}`,
        label,
        probabilities: skills.map((skill) => {
          const logit = 2 * ((2 * label - 1) * skill[kind] * ease + shared + 0.7 * normal());
          return Number((1 / (1 + Math.exp(-logit))).toFixed(6));
        }),
        embedding: centres[kind].map((value) => Number((value + 0.8 * normal()).toFixed(4))),
      }),
    );
  }
  return `${lines.join("\n")}\n`;
}

const directory = mkdtempSync(join(tmpdir(), "touchstone-grid-"));
try {
  const table = join(directory, "answers.jsonl");
  writeFileSync(table, answers());
  const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));
  const words = ["lab", "experiment", "ensemble", table, "--objectives", "global-entropy"];
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bin, ...words, "--workers", String(workers), "--json"],
    { encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(stderr);
  const { experiments, different, n, verdict } = JSON.parse(stdout);
  console.log(
    `${experiments} experiments (${different} of them differ) on ${n} pairs, ${workers} workers: ${seconds.toFixed(1)} s (aim 30 s on 2)`,
  );
  console.log(verdict);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

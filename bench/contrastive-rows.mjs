// Contrastive rows as JSONL or CSV, without holding them: what `touchstone analyze contrastive` reads.

import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

const metrics = ["clip-score", "vqa-score", "pick-score", "hps"];
const domains = ["animals", "objects", "demography"];
const sample = 4;

/**
 * Writes `count` rows: four metrics' scores of each pair, four pairs of each prompt, one in a
 * hundred a tie. As CSV where the path ends so, else as JSONL.
 *
 * @param isQuoted whether prompts hold commas, so that CSV quotes them.
 * @returns how many failures each metric has among its rows, `{ METRIC: { n, failures } }`.
 */
export async function writeContrastiveRows(path, count, { isQuoted = false } = {}) {
  const truth = Object.fromEntries(metrics.map((name) => [name, { n: 0, failures: 0 }]));
  const random = uniform(20);
  const isCsv = path.endsWith(".csv");
  const head = isCsv ? "id,metric,domain,prompt,correct,adversarial" : undefined;
  await writeLines(path, count, head, (row) => {
    const metric = metrics[row % metrics.length];
    const pair = Math.floor(row / metrics.length);
    const prompt = Math.floor(pair / sample);
    const correct = random();
    const adversarial = random() < 0.01 ? correct : random();
    truth[metric].n += 1;
    if (adversarial >= correct) truth[metric].failures += 1;
    const values = {
      id: `pair-${pair}`,
      metric,
      domain: domains[prompt % domains.length],
      prompt: isQuoted
        ? `a photograph of thing ${prompt}, beside another, in the rain`
        : `a photograph of thing ${prompt} beside another`,
      correct,
      adversarial,
    };
    const cells = Object.values(values).map((cell) =>
      `${cell}`.includes(",") ? `"${cell}"` : cell,
    );
    return isCsv ? cells.join(",") : JSON.stringify(values);
  });
  return truth;
}

/** Writes a table line by line, without holding it. */
export async function writeLines(path, count, head, line) {
  const file = createWriteStream(path);
  if (head !== undefined) file.write(`${head}\n`);
  for (let row = 0; row < count; row++) {
    if (!file.write(`${line(row)}\n`)) await new Promise((resolve) => file.once("drain", resolve));
  }
  file.end();
  await finished(file);
}

/** Numbers from 0 to 1, the same on every machine (Lehmer's generator). */
export function uniform(seed) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

// How often `compare --gate per-prompt` fails a build in which nothing changed (1 % is the most), and one in which a
// few prompts broke. Prints Markdown; `node bench/per-prompt-gate.mjs` on the built package. All that is set below was
// committed before the seed was drawn from.
import { promptGate } from "../dist/analysis/comparison/prompt-gate.js";
import { randomFrom } from "../dist/core/random.js";
import { normalQuantile } from "../dist/stats/normal.js";

const seed = 42_310_177;
const builds = 2_000;
const prompts = 200;
const broken = 5;
const repeats = [10, 15];
const allowance = 0.2;

const normal = (random) => normalQuantile(Math.min(Math.max(random.next(), 1e-12), 1 - 1e-12));

/** What a prompt's scores are drawn from before, and after it broke. */
const judges = {
  steady: (random) => {
    const mean = 0.4 + 0.4 * random.next();
    return [0, 0.6].map((drop) => () => mean - drop + 0.05 * normal(random));
  },
  // Now and then a judge says the contrary.
  flickering: (random) => {
    const mean = 0.7 + 0.2 * random.next();
    const flips = 0.3 * random.next();
    const score = (most) => () => (random.chance(flips) ? 0.1 : most) + 0.05 * normal(random);
    return [score(mean), score(0.05)];
  },
  "0/1": (random) => {
    const share = 0.7 + 0.3 * random.next();
    return [share, 0.02].map((rate) => () => (random.chance(rate) ? 1 : 0));
  },
};

const many = (score, count) => Array.from({ length: count }, score);

/** A build looks after every sample: it fails where any look does, which the largest e-value on the way says. */
function build(random, { draw, repeat, areBroken, isDemanded }) {
  const all = Array.from({ length: prompts }, (_, at) => {
    const [before, after] = draw(random);
    const against = many(before, repeat);
    const now = areBroken && at < broken ? after : before;
    // Demanded is the worst tenth that the unchanged prompt has, so that a fifth is more than it needs.
    const worst = isDemanded ? many(before, 100).sort((a, b) => a - b)[10] : 0;
    return {
      model: "m",
      prompt: `${at}`,
      scores: many(now, repeat),
      unscored: 0,
      against: isDemanded ? { threshold: worst, allowance } : against,
    };
  });
  return promptGate(all, { direction: "higher" });
}

console.log(
  "| scores of a prompt | held against | judge | unchanged builds that fail | builds with 5 broken prompts that fail | broken prompts found | sound prompts that fail |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const repeat of repeats) {
  for (const isDemanded of [false, true]) {
    for (const [name, draw] of Object.entries(judges)) {
      const random = randomFrom(seed, "per-prompt", repeat, String(isDemanded), name);
      let [failed, missed, found, wrong] = [0, 0, 0, 0];
      for (let at = 0; at < builds; at++) {
        if (!build(random, { draw, repeat, isDemanded, areBroken: false }).passed) failed++;
      }
      const power = builds / 10;
      for (let at = 0; at < power; at++) {
        const { passed, perPrompt } = build(random, { draw, repeat, isDemanded, areBroken: true });
        if (!passed) missed++;
        for (const { prompt, state } of perPrompt) {
          if (state !== "failed") continue;
          if (Number(prompt) < broken) found++;
          else wrong++;
        }
      }
      const share = (count, of) => `${((100 * count) / of).toFixed(2)} %`;
      const against = isDemanded
        ? `threshold, allowance ${allowance}`
        : `${repeat} of the baseline`;
      console.log(
        `| ${repeat} | ${against} | ${name} | ${share(failed, builds)} | ${share(missed, power)} | ${share(found, power * broken)} | ${share(wrong, power * (prompts - broken))} |`,
      );
    }
  }
}

// node bench/coverage-shared.mjs [SET-UP ...] [--try]
//
// Do the 95 % intervals of `analyze preferences` hold the truth 95 times in 100 where annotators share
// prompts? Two models are compared on prompts that differ in how often the one is preferred, by people who
// lean more or less towards it; the truth is its win rate over all prompts and all people. Intervals over
// annotators, over prompts, and over both (--cluster both) stand beside each other. docs/research/intervals.md
// says what came of it. --try draws few samples by another seed, to see that it runs.

import { preferences } from "../dist/analysis/preferences/preferences.js";
import { randomFrom } from "../dist/core/random.js";
import { columnWidth, legend, Tally } from "./coverage-tally.mjs";

const words = process.argv.slice(2);
const isTrial = words.includes("--try");
const asked = words.filter((word) => word !== "--try");

// Settled before the first run in earnest.
const seed = isTrial ? "trial" : 20_261_123;
const samples = isTrial ? 20 : 2000;

/**
 * `raters` of `people` answer each prompt, in turn. `prompts` and `leaning`: the win rate of a prompt, or
 * by a person, lies so far from its mean, either way.
 */
const setUps = {
  "3 people, all prompts": { items: 100, people: 3, raters: 3, prompts: 0.35, leaning: 0 },
  "5 people, all prompts": { items: 100, people: 5, raters: 5, prompts: 0.35, leaning: 0 },
  "10 people, all prompts": { items: 100, people: 10, raters: 10, prompts: 0.35, leaning: 0 },
  "40 people, 3 a prompt": { items: 200, people: 40, raters: 3, prompts: 0.35, leaning: 0 },
  "40 people who lean, 3 a prompt": {
    items: 200,
    people: 40,
    raters: 3,
    prompts: 0.35,
    leaning: 0.15,
  },
  "40 people who lean, all prompts": {
    items: 40,
    people: 40,
    raters: 40,
    prompts: 0.3,
    leaning: 0.15,
  },
  "10 people who lean, all prompts": {
    items: 100,
    people: 10,
    raters: 10,
    prompts: 0.3,
    leaning: 0.15,
  },
  "40 people, prompts alike": { items: 200, people: 40, raters: 3, prompts: 0, leaning: 0 },
};
const truth = 0.5;
const clusters = ["annotator", "prompt", "both"];

console.log(`${legend}\nSeed ${seed}, ${samples} samples.\n`);
console.log(["".padEnd(32), ...clusters.map((name) => name.padEnd(columnWidth))].join(" "));
for (const [name, setUp] of Object.entries(setUps)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const tallies = clusters.map(() => new Tally(truth));
  for (let sample = 0; sample < samples; sample++) {
    const rows = comparisons(setUp, randomFrom(seed, name, sample));
    clusters.forEach((cluster, at) => {
      const [{ winRate }] = preferences(rows, { cluster, interval: "delta" }).pairs;
      tallies[at].add(winRate.low === null ? undefined : [winRate.low, winRate.high]);
    });
  }
  console.log([name.padEnd(32), ...tallies].join(" "));
}

function comparisons({ items, people, raters, prompts, leaning }, random) {
  const side = () => (random.chance(0.5) ? 1 : -1);
  const leans = Array.from({ length: people }, () => leaning * side());
  return Array.from({ length: items }, (_, item) => {
    const rate = truth + prompts * side();
    return Array.from({ length: raters }, (_, rater) => {
      const person = (item * raters + rater) % people;
      const preferred = random.chance(rate + leans[person]) ? "a" : "b";
      return { a: "x", b: "y", preferred, prompt: `p${item}`, annotator: `w${person}` };
    });
  }).flat();
}

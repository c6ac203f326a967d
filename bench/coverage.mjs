// How often 95 % intervals hold the truth: shares of clustered yes-or-no rows, as of prompts with
// several images each, drawn again and again from a world whose share is known.
import { estimate, intervalMethod } from "../dist/analysis/intervals.js";
import { randomFrom } from "../dist/core/random.js";
import { clusterSums } from "../dist/stats/cluster-sums.js";

const simulations = 2000;
const resamples = 1000;
const term = { weight: 1, groups: [0], numerator: 1, denominator: 0, whenEmpty: "no row" };
const methods = ["percentile", "bca", "delta"];
/** Of each prompt's rows this share fails, whichever prompt it is: easy, middling and hard ones. */
const worlds = [
  { name: "about 30 %", difficulties: [0.05, 0.25, 0.6] },
  { name: "about 5 %", difficulties: [0, 0.02, 0.13] },
];

console.log(`${simulations} samples each, ${resamples} resamples; 2 to 5 rows of each prompt.`);
console.log(
  "Coverage in %, its standard error about 0.5; in parentheses samples without an interval.\n",
);
console.log(["share     ", "prompts", ...methods.map((name) => name.padStart(16))].join("  "));
for (const { name, difficulties } of worlds) {
  const truth = difficulties.reduce((sum, each) => sum + each, 0) / difficulties.length;
  for (const prompts of [5, 10, 20, 40, 80, 160]) {
    const random = randomFrom(0, "coverage", name, prompts);
    const holds = methods.map(() => 0);
    const none = methods.map(() => 0);
    for (let simulation = 0; simulation < simulations; simulation++) {
      const table = sample(prompts, difficulties, random);
      methods.forEach((interval, at) => {
        const method = intervalMethod(
          { interval, resamples, seed: simulation },
          { clusters: prompts, clusteredBy: "prompt" },
        );
        const [{ low, high }] = estimate(table, [{ terms: [term], within: [0, 1] }], method);
        if (low === null || low === high) none[at] += 1;
        else if (low <= truth && truth <= high) holds[at] += 1;
      });
    }
    const cells = methods.map((_, at) => {
      const share = ((100 * holds[at]) / (simulations - none[at])).toFixed(1);
      return `${share} (${((100 * none[at]) / simulations).toFixed(1)} %)`.padStart(16);
    });
    console.log([name.padEnd(10), String(prompts).padStart(7), ...cells].join("  "));
  }
}

function sample(prompts, difficulties, random) {
  const rows = Array.from({ length: prompts }, (_, cluster) => {
    const difficulty = random.pick(difficulties);
    return Array.from({ length: 2 + random.integer(4) }, () => ({
      cluster,
      fails: Number(random.chance(difficulty)),
    }));
  }).flat();
  return clusterSums({
    cluster: Int32Array.from(rows, ({ cluster }) => cluster),
    group: new Int32Array(rows.length),
    columns: [new Float64Array(rows.length).fill(1), Float64Array.from(rows, ({ fails }) => fails)],
    clusters: prompts,
    groups: 1,
  });
}

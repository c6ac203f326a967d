// node bench/ensemble.mjs [--write] [WORD ...]
//
// Fitting prompts' weights, 20 labels x 10 prompts x 16 groups, beside SciPy's L-BFGS on the same
// objective over softmax logits with its analytic gradient, in the same run; objective values are
// compared before times are. With words: the tasks that name one; --write: the table in README.md.

import { randomFrom } from "../dist/core/random.js";
import { defaultLambdas } from "../dist/ensembles/choose-weights.js";
import { closedFormSums, weightsFromSums } from "../dist/ensembles/closed-form-weights.js";
import { labelLikelihoods } from "../dist/ensembles/label-likelihoods.js";
import { mixtureWeights } from "../dist/ensembles/mixture-weights.js";
import { softmaxInPlace } from "../dist/ensembles/softmax.js";
import { pythonPeer } from "./python-peer.mjs";
import { processorClock, sideBySide } from "./side-by-side.mjs";
import { printFound, words, writeTable } from "./written-table.mjs";

const [labels, prompts, groups] = [20, 10, 16];
const random = randomFrom("bench", "ensemble");
const said = Array.from({ length: labels }, () => random.integer(2));
const probabilities = Float64Array.from({ length: labels * prompts }, (_, at) => {
  const likely = random.between(0.05, 0.98);
  return said[Math.floor(at / prompts)] === 1 ? likely : 1 - likely;
});
const membership = Float64Array.from({ length: labels * groups }, () => 6 * random.next());
for (let label = 0; label < labels; label++) softmaxInPlace(membership, label * groups, groups);
const likelihoods = labelLikelihoods({ labels: said, probabilities, prompts });
const problem = { likelihoods, membership, groups };
const weights = new Float64Array(groups * prompts);

/** One fit of ours is too short for the clock: so many are timed together. */
const fits = { closed: 5000, mixture: 100 };

/** A grid of lambdas at once, as they are chosen: the sums over labels are made once for all. */
const closed = (objective) => ({
  name: `${objective}, closed form, a grid of ${defaultLambdas.length} lambdas`,
  aim: 1000,
  times: fits.closed,
  weigh() {
    const sums = closedFormSums(problem);
    return total(defaultLambdas, (lambda) => weightsFromSums(sums, { objective, lambda }, weights));
  },
  ask: { objective, lambdas: defaultLambdas },
});
const total = (values, of) => values.reduce((sum, value) => sum + of(value), 0);
const mixture = (lambda) => ({
  name: `mixture, lambda ${lambda}`,
  aim: 10,
  times: fits.mixture,
  weigh() {
    const { value, gap } = mixtureWeights(problem, { lambda }, weights);
    if (!(gap <= 1e-8)) throw new Error(`Expected a gap of at most 1e-8 but found ${gap}`);
    return value;
  },
  ask: { objective: "mixture", lambdas: [lambda] },
});
const tasks = [
  closed("per-sample-entropy"),
  closed("global-entropy"),
  closed("balanced-entropy"),
  mixture(1),
  mixture(0.1),
];

const peer = pythonPeer("ensemble_peer.py");
if (peer.skipped !== undefined) {
  console.log(`skipped: the peers can't be installed (${peer.skipped})`);
} else {
  const { versions } = await peer.ask({
    task: "load",
    labels,
    prompts,
    groups,
    likelihood: [...likelihoods.likelihood],
    membership: [...membership],
  });
  console.log(`Node ${process.version}; ${versions}; medians of processor time.\n`);
  const isAsked = ({ name }) => words.length === 0 || words.some((word) => name.includes(word));
  const rows = [];
  for (const { name, aim, times, weigh, ask } of tasks.filter(isAsked)) {
    const found = await sideBySide({
      ours() {
        let value = 0;
        for (let time = 0; time < times; time++) value = weigh();
        return value;
      },
      peers: { "SciPy L-BFGS-B": () => peer.ask({ task: "fit", ...ask }) },
      clock: processorClock,
    });
    const each = { ...found, ours: found.ours / times };
    for (const ratio of ["ratio", "low", "high"]) each[ratio] *= times;
    printFound(name, { aim, ...each });
    console.log(
      `  objective ${found.result.toPrecision(10)} and ${found.peerResult.toPrecision(10)}`,
    );
    const apart = Math.abs(found.result - found.peerResult);
    // L-BFGS stops a little short at the smallest lambda, which saves it time.
    if (!(apart <= 1e-4)) {
      console.log(`  DIFFERENT by ${apart}, allowed 1e-4`);
      process.exitCode = 1;
    }
    rows.push({ task: name, aim, ...each });
  }
  const conditions = `${labels} labels, ${prompts} prompts, ${groups} groups; medians of processor time.`;
  writeTable("ensemble", { versions, conditions, rows });
  peer.end();
}

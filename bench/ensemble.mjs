// node bench/ensemble.mjs [--write] [WORD ...]
//
// Fitting prompts' weights through `promptWeights`, few labels and many, beside SciPy's L-BFGS on the same
// objective over softmax logits with its analytic gradient, in the same run; objective values are
// compared before times are. With words: the tasks that name one; --write: the table in README.md.

import { randomFrom } from "../dist/core/random.js";
import { defaultLambdas } from "../dist/ensembles/choose-weights.js";
import { labelLikelihoods } from "../dist/ensembles/label-likelihoods.js";
import { promptWeights } from "../dist/ensembles/prompt-weights.js";
import { softmaxInPlace } from "../dist/ensembles/softmax.js";
import { pythonPeer } from "./python-peer.mjs";
import { processorClock, sideBySide } from "./side-by-side.mjs";
import { printFound, words, writeTable } from "./written-table.mjs";

/** One fit of ours is too short for the clock: so many are timed together. */
const sizes = [
  { labels: 20, prompts: 10, groups: 16, times: { closed: 2000, mixture: 100 } },
  { labels: 1000, prompts: 20, groups: 16, times: { closed: 100, mixture: 1 } },
];

const grid = `a grid of ${defaultLambdas.length} lambdas`;

function tasksOf(problem, times) {
  const { labels, prompts } = problem.likelihoods;
  const size = `${labels.toLocaleString("en-US")} x ${prompts} x ${problem.groups}`;
  /** The sums over labels are made by the first lambda, and kept for the others as long as the problem is. */
  const closed = (objective, { isNew }) => ({
    name: `${size}: ${objective}, ${grid}${isNew ? "" : ", of a problem that was fitted before"}`,
    aim: labels === 20 ? 1000 : 100,
    times: times.closed,
    weigh() {
      const its = isNew ? { ...problem } : problem;
      return total(
        defaultLambdas,
        (lambda) => promptWeights(its, { objective, lambda }).objectiveValue,
      );
    },
    ask: { objective, lambdas: defaultLambdas },
  });
  const mixture = (lambda) => ({
    name: `${size}: mixture, lambda ${lambda}`,
    aim: 10,
    times: times.mixture,
    weigh() {
      const { objectiveValue, dualityGap } = promptWeights(problem, {
        objective: "mixture",
        lambda,
      });
      if (!(dualityGap <= 1e-8)) {
        throw new Error(`Expected a gap of at most 1e-8 but found ${dualityGap}`);
      }
      return objectiveValue;
    },
    ask: { objective: "mixture", lambdas: [lambda] },
  });
  return [
    ...["per-sample-entropy", "global-entropy", "balanced-entropy"].flatMap((objective) => [
      closed(objective, { isNew: true }),
      closed(objective, { isNew: false }),
    ]),
    ...defaultLambdas.map(mixture),
  ];
}

function problemOf({ labels, prompts, groups }) {
  const random = randomFrom("bench", "ensemble");
  const said = Array.from({ length: labels }, () => random.integer(2));
  const probabilities = Float64Array.from({ length: labels * prompts }, (_, at) => {
    const likely = random.between(0.05, 0.98);
    return said[Math.floor(at / prompts)] === 1 ? likely : 1 - likely;
  });
  const membership = Float64Array.from({ length: labels * groups }, () => 6 * random.next());
  for (let label = 0; label < labels; label++) softmaxInPlace(membership, label * groups, groups);
  return {
    likelihoods: labelLikelihoods({ labels: said, probabilities, prompts }),
    membership,
    groups,
  };
}

const total = (values, of) => values.reduce((sum, value) => sum + of(value), 0);

const peer = pythonPeer("ensemble_peer.py");
if (peer.skipped !== undefined) {
  console.log(`skipped: the peers can't be installed (${peer.skipped})`);
} else {
  const rows = [];
  let versions;
  for (const { times, ...size } of sizes) {
    const problem = problemOf(size);
    ({ versions } = await peer.ask({
      task: "load",
      ...size,
      likelihood: [...problem.likelihoods.likelihood],
      membership: [...problem.membership],
    }));
    console.log(`Node ${process.version}; ${versions}; medians of processor time.\n`);
    const isAsked = ({ name }) => words.length === 0 || words.some((word) => name.includes(word));
    for (const { name, aim, times: fits, weigh, ask } of tasksOf(problem, times).filter(isAsked)) {
      const found = await sideBySide({
        ours() {
          let value = 0;
          for (let time = 0; time < fits; time++) value = weigh();
          return value;
        },
        peers: { "SciPy L-BFGS-B": () => peer.ask({ task: "fit", ...ask }) },
        clock: processorClock,
      });
      const each = { ...found, ours: found.ours / fits };
      for (const ratio of ["ratio", "low", "high"]) each[ratio] *= fits;
      printFound(name, { aim, ...each });
      console.log(
        `  objective ${found.result.toPrecision(10)} and ${found.peerResult.toPrecision(10)}`,
      );
      const apart = Math.abs(found.result - found.peerResult);
      // L-BFGS stops a little short at the smallest lambda, which saves it time.
      if (!(apart <= 1e-3)) {
        console.log(`  DIFFERENT by ${apart}, allowed 1e-3`);
        process.exitCode = 1;
      }
      rows.push({ task: name, aim, ...each });
    }
  }
  const conditions = "Labels x prompts x groups; medians of processor time.";
  writeTable("ensemble", { versions, conditions, rows });
  peer.end();
}

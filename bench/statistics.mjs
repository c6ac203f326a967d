// node bench/statistics.mjs [--write] [WORD ...]
//
// The statistics that cost something, beside NumPy written for speed, SciPy, statsmodels and
// scikit-learn doing the same work on the same numbers in the same run; the fastest peer counts.
// Results are compared before times are. With words: the tasks that name one; --write: the table in
// README.md.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  calibrationMeasured,
  calibrationStatistics,
} from "../dist/analysis/calibration/calibration-measures.js";
import { randomFrom } from "../dist/core/random.js";
import { clusterBootstrap } from "../dist/stats/cluster-bootstrap.js";
import { clusterSums, groupTotals } from "../dist/stats/cluster-sums.js";
import { deltaInterval } from "../dist/stats/delta-interval.js";
import { kendallPValue, kendallTauB } from "../dist/stats/kendall.js";
import { pairCounter } from "../dist/stats/pair-counts.js";
import { pairedPermutation } from "../dist/stats/paired-permutation.js";
import { ranked } from "../dist/stats/ranked.js";
import { pythonPeer } from "./python-peer.mjs";
import { processorClock, sideBySide } from "./side-by-side.mjs";
import { printFound, words, writeTable } from "./written-table.mjs";

const folder = mkdtempSync(join(tmpdir(), "touchstone-bench-"));
const random = randomFrom("bench", "statistics");

const pairs = 14_400;
// Squared errors of two judges on the same pairs, the second a little worse.
const one = Float64Array.from({ length: pairs }, () => random.next() ** 2);
const other = one.map((error) => Math.min(1, error + 0.004 * (random.next() - 0.497)));

const rows = 100_000;
// A metric with some 20,000 distinct values, and people's ratings of 1 to 5 that follow it loosely.
const metric = Float64Array.from({ length: rows }, () => random.integer(20_000) / 20_000);
const score = metric.map((value) => value + random.next());
const people = metric.map((score) => 1 + Math.round(2 * score + 2 * random.next()));

const clusters = 400;
// 36 rows of each prompt fail or pass, some prompts oftener than others.
const hardness = Float64Array.from({ length: clusters }, () => random.next());
const cluster = Int32Array.from({ length: pairs }, (_, row) => row % clusters);
const failed = Float64Array.from(cluster, (at) => (random.chance(hardness[at] / 2) ? 1 : 0));

// A judge's probabilities, surer than they ought to be, and the same draws for both sides.
const probability = Float64Array.from({ length: pairs }, () => random.next());
const label = probability.map((sure) => (random.chance(0.5 + 0.7 * (sure - 0.5)) ? 1 : 0));
const drawings = 50;
const drawn = Float64Array.from({ length: drawings * pairs }, () => random.integer(pairs));

const inFiles = { one, other, metric, people, score, failed, probability, label, drawn };
const files = Object.entries(inFiles).map(([name, values]) => {
  const path = join(folder, `${name}.f64`);
  writeFileSync(path, values);
  return [name, path];
});

const eachRow = Int32Array.from({ length: pairs }, (_, row) => row);
const rate = [{ weight: 1, groups: [0], numerator: 1, denominator: 0 }];
const failures = () =>
  clusterSums({
    cluster,
    group: new Int32Array(pairs),
    columns: [new Float64Array(pairs).fill(1), failed],
    clusters,
    groups: 1,
  });

const kendall = (one, other) => {
  const x = ranked(one);
  const y = ranked(other);
  const counts = pairCounter(x, y)();
  kendallPValue(x, y, counts.difference);
  return kendallTauB(counts);
};

const tasks = [
  {
    name: "paired permutation, 10,000 resamples, 14,400 pairs",
    aim: 1,
    statistic: "p",
    within: 0.02,
    ours: () =>
      pairedPermutation({
        one: { value: one },
        other: { value: other },
        unit: eachRow,
        units: pairs,
        permutations: 10_000,
        random: randomFrom(0, "bench"),
      }).p,
    // The third peer looks sums of bytes up, as ours does; SciPy takes 2 s.
    peers: {
      "NumPy, signs @ differences": { task: "permutation_by_signs", permutations: 10_000 },
      "NumPy, signs @ differences in float32": {
        task: "permutation_by_signs",
        permutations: 10_000,
        type: "float32",
      },
      "NumPy, table of bytes": { task: "permutation_by_bytes", permutations: 10_000 },
    },
  },
  {
    name: "Kendall tau-b with p, n = 100,000, ratings of 1 to 5",
    aim: 1.5,
    statistic: "tau-b",
    within: 1e-12,
    ours: () => kendall(metric, people),
    peers: { "SciPy kendalltau": { task: "kendall", columns: ["metric", "people"] } },
  },
  {
    name: "Kendall tau-b with p, n = 100,000, hardly a tie",
    aim: 1.5,
    statistic: "tau-b",
    within: 1e-12,
    ours: () => kendall(metric, score),
    peers: { "SciPy kendalltau": { task: "kendall", columns: ["metric", "score"] } },
  },
  {
    name: "clustered bootstrap, 2,000 resamples, 14,400 rows of 400 prompts",
    aim: 1,
    statistic: "upper bound",
    within: 0.005,
    ours: () => {
      const [interval] = clusterBootstrap(failures(), {
        statistics: [rate],
        resamples: 2000,
        random: randomFrom(0, "bench"),
      });
      return interval[1];
    },
    peers: {
      "NumPy, multinomial counts": { task: "bootstrap_by_counts", clusters, resamples: 2000 },
      "NumPy, drawn indices": { task: "bootstrap_by_indices", clusters, resamples: 2000 },
      "SciPy bootstrap": { task: "bootstrap", clusters, resamples: 2000 },
    },
  },
  {
    name: "clustered delta interval, 14,400 rows of 400 prompts",
    aim: 1,
    statistic: "upper bound",
    within: 1e-9,
    ours: () => {
      const table = failures();
      return deltaInterval(table, groupTotals(table), rate)[1];
    },
    peers: { "statsmodels OLS, cluster-robust": { task: "cluster_robust", clusters } },
  },
  {
    name: "ROC-AUC, average precision, Brier score and log loss of 50 resamples of 14,400 rows",
    aim: 1,
    statistic: "sum",
    within: 1e-9,
    ours: () => {
      const bins = { binning: "equal-width", count: 10 };
      const valuesOf = calibrationMeasured(label, probability, bins);
      const weights = new Float64Array(pairs);
      let sum = 0;
      for (let drawing = 0; drawing < drawings; drawing++) {
        weights.fill(0);
        for (let at = 0; at < pairs; at++) weights[drawn[drawing * pairs + at]] += 1;
        const values = valuesOf(weights);
        for (const name of ["rocAuc", "averagePrecision", "brier", "nll"]) {
          sum += values[calibrationStatistics.indexOf(name)];
        }
      }
      return sum;
    },
    peers: { "scikit-learn (four of our sixteen)": { task: "calibration", drawings } },
  },
];

const peer = pythonPeer("statistics_peer.py");
if (peer.skipped !== undefined) {
  console.log(`skipped: the peers can't be installed (${peer.skipped})`);
} else {
  const { versions } = await peer.ask({ task: "load", files: Object.fromEntries(files) });
  console.log(`Node ${process.version}; ${versions}; medians of processor time.\n`);
  const isAsked = ({ name }) => words.length === 0 || words.some((word) => name.includes(word));
  const rows = [];
  for (const { name, aim, statistic, within, ours, peers } of tasks.filter(isAsked)) {
    const found = await sideBySide({
      ours,
      peers: Object.fromEntries(
        Object.entries(peers).map(([whom, question]) => [whom, () => peer.ask(question)]),
      ),
      clock: processorClock,
    });
    printFound(name, { aim, ...found });
    console.log(
      `  ${statistic} ${found.result.toPrecision(6)} and ${found.peerResult.toPrecision(6)}`,
    );
    const apart = Math.abs(found.result - found.peerResult);
    if (!(apart <= within)) {
      console.log(`  DIFFERENT by ${apart}, allowed ${within}`);
      process.exitCode = 1;
    }
    rows.push({ task: name, aim, ...found });
  }
  writeTable("statistics", { versions, conditions: "Medians of processor time.", rows });
  peer.end();
}
rmSync(folder, { recursive: true });

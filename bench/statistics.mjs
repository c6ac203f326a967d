// node bench/statistics.mjs [--write] [WORD ...]
//
// The statistics that cost something, beside NumPy written for speed, SciPy, statsmodels and
// scikit-learn doing the same work on the same numbers in the same run; the fastest peer counts.
// Results are compared before times are. Tasks marked so are measured as the first call of a process, too,
// with each turn in processes of its own. With words: the tasks that name one; --write: the table in README.md.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { agreementOf } from "../dist/analysis/agreement/agreement.js";
import {
  calibrationMeasured,
  calibrationStatistics,
} from "../dist/analysis/calibration/calibration-measures.js";
import { randomFrom } from "../dist/core/random.js";
import { clusterBootstrap } from "../dist/stats/cluster-bootstrap.js";
import { clusterSums, groupTotals } from "../dist/stats/cluster-sums.js";
import { kendallPValue, kendallTauB, pairCounter } from "../dist/stats/pair-counts.js";
import { pairedPermutation } from "../dist/stats/paired-permutation.js";
import { ranked } from "../dist/stats/ranked.js";
import { deltaInterval } from "../dist/stats/ratio-statistic.js";
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

// Neither column has ties.
const untied = metric.map((value) => value + random.next() / 20_000);

// Ten raters of 100,000 items: six in ten ratings are what an item deserves, the others at random.
const [items, raters] = [100_000, 10];
const deserved = Array.from({ length: items }, () => random.integer(5));
const rating = Float64Array.from({ length: items * raters }, (_, at) =>
  random.chance(0.6) ? deserved[Math.floor(at / raters)] : random.integer(5),
);
const coded = (length, codeOf, names) => ({ codes: Int32Array.from({ length }, codeOf), names });
const numbered = (count) => Array.from({ length: count }, (_, at) => String(at).padStart(6, "0"));
const ratings = {
  item: coded(rating.length, (_, at) => Math.floor(at / raters), numbered(items)),
  annotator: coded(rating.length, (_, at) => at % raters, numbered(raters)),
  value: coded(rating.length, (_, at) => rating[at], ["1", "2", "3", "4", "5"]),
};

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

const inFiles = {
  one,
  other,
  metric,
  people,
  score,
  untied,
  failed,
  probability,
  label,
  drawn,
  rating,
};

const eachRow = Int32Array.from({ length: pairs }, (_, row) => row);
const rate = [{ weight: 1, groups: [0], numerator: 1, denominator: 0 }];
const failures = (rows = pairs) =>
  clusterSums({
    cluster: cluster.subarray(0, rows),
    group: new Int32Array(rows),
    columns: [new Float64Array(rows).fill(1), failed.subarray(0, rows)],
    clusters,
    groups: 1,
  });

const bootstrapped = (rows) => () => {
  const [interval] = clusterBootstrap(failures(rows), {
    statistics: [rate],
    resamples: 2000,
    random: randomFrom(0, "bench"),
  });
  return interval[1];
};
const bootstrapPeers = (rows) => ({
  "NumPy, multinomial counts": { task: "bootstrap_by_counts", rows, clusters, resamples: 2000 },
  "NumPy, one gather": { task: "bootstrap_by_indices", rows, clusters, resamples: 2000 },
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
  ...[
    ["ratings of 1 to 5", "people"],
    ["hardly a tie", "score"],
    ["no tie", "untied"],
  ].map(([what, name]) => {
    const columns = name === "untied" ? ["untied", "score"] : ["metric", name];
    return {
      name: `Kendall tau-b with p, n = 100,000, ${what}`,
      aim: 1.5,
      aimOfFirst: 1,
      statistic: "tau-b",
      within: 1e-12,
      ours: () => kendall(...columns.map((column) => inFiles[column])),
      peers: { "SciPy kendalltau": { task: "kendall", columns } },
    };
  }),
  {
    name: "clustered bootstrap, 2,000 resamples, 10,000 rows of 400 prompts",
    aim: 1,
    aimOfFirst: 0.7,
    statistic: "upper bound",
    within: 0.006,
    ours: bootstrapped(10_000),
    peers: bootstrapPeers(10_000),
  },
  {
    name: "clustered bootstrap, 2,000 resamples, 14,400 rows of 400 prompts",
    aim: 1,
    statistic: "upper bound",
    within: 0.005,
    ours: bootstrapped(pairs),
    peers: {
      ...bootstrapPeers(pairs),
      "SciPy bootstrap": { task: "bootstrap", rows: pairs, clusters, resamples: 2000 },
    },
  },
  {
    name: "agreement of a million ratings, 2,000 resamples of items: all of it, beside alpha alone",
    aim: 1,
    statistic: "upper bound",
    within: 2e-4,
    ours: () =>
      agreementOf(ratings, { scale: "ordinal", resamples: 2000 }).intervalsOf.krippendorffAlpha
        .high,
    peers: {
      "krippendorff, NumPy, patterns of drawn items": { task: "alpha_by_items", resamples: 2000 },
      "krippendorff, NumPy, multinomial counts": { task: "alpha_by_counts", resamples: 2000 },
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

const [, firstName] = process.argv.slice(2).join(" ").split("--first ");
if (firstName !== undefined) {
  const start = processorClock();
  const result = tasks.find(({ name }) => name === firstName).ours();
  console.log(JSON.stringify({ seconds: processorClock() - start, result }));
  process.exit();
}

/** Ours in a process of its own, which says how long its first call took. */
function oursFirst(name) {
  const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--first", name]);
  return JSON.parse(String(stdout));
}

async function peerFirst(question) {
  const fresh = pythonPeer("statistics_peer.py");
  await fresh.ask({ task: "load", files });
  const answer = await fresh.ask(question);
  fresh.end();
  return answer;
}

const files = {};
for (const [name, values] of Object.entries(inFiles)) {
  files[name] = join(folder, `${name}.f64`);
  writeFileSync(files[name], values);
}
const peer = pythonPeer("statistics_peer.py");
if (peer.skipped !== undefined) {
  console.log(`skipped: the peers can't be installed (${peer.skipped})`);
} else {
  const { versions } = await peer.ask({ task: "load", files });
  console.log(`Node ${process.version}; ${versions}; medians of processor time.\n`);
  const isAsked = ({ name }) => words.length === 0 || words.some((word) => name.includes(word));
  const rows = [];
  const show = (task, { aim, statistic, within }, found) => {
    printFound(task, { aim, ...found });
    console.log(
      `  ${statistic} ${found.result.toPrecision(6)} and ${found.peerResult.toPrecision(6)}`,
    );
    const apart = Math.abs(found.result - found.peerResult);
    if (!(apart <= within)) {
      console.log(`  DIFFERENT by ${apart}, allowed ${within}`);
      process.exitCode = 1;
    }
    rows.push({ task, aim, ...found });
  };
  for (const task of tasks.filter(isAsked)) {
    const { name, aimOfFirst, ours, peers } = task;
    const asked = (ask) =>
      Object.fromEntries(
        Object.entries(peers).map(([whom, question]) => [whom, () => ask(question)]),
      );
    show(name, task, await sideBySide({ ours, peers: asked(peer.ask), clock: processorClock }));
    if (aimOfFirst === undefined) continue;
    const first = { ours: () => oursFirst(name), peers: asked(peerFirst), isFirst: true };
    show(
      "the same, first call of a process",
      { ...task, aim: aimOfFirst },
      await sideBySide(first),
    );
  }
  writeTable("statistics", { versions, conditions: "Medians of processor time.", rows });
  peer.end();
}
rmSync(folder, { recursive: true });

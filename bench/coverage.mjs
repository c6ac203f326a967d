// node bench/coverage.mjs [PART ...] [--try]
//
// Do 95 % intervals hold the truth 95 times in 100? Samples are drawn from populations whose truth is
// known, each gets its intervals, and what holds the truth is counted. An interval is right where 95 %
// lies within the error bars of the simulation itself. docs/research/intervals.md says what came of it.
// --try draws few samples by another seed, to see that it runs.

import {
  calibrationMeasured,
  calibrationStatistics,
} from "../dist/analysis/calibration/calibration-measures.js";
import { measured, measures } from "../dist/analysis/correlation/correlation-measures.js";
import { randomFrom } from "../dist/core/random.js";
import { clusterJackknife, clusterResamples } from "../dist/stats/cluster-bootstrap.js";
import { clusterSums, groupTotals } from "../dist/stats/cluster-sums.js";
import { criticalT } from "../dist/stats/incomplete-beta.js";
import { influenceError } from "../dist/stats/influence-error.js";
import { bcaInterval, percentileInterval } from "../dist/stats/percentile-interval.js";
import { predictionPoweredMean } from "../dist/stats/prediction-powered.js";
import { deltaInterval, ratioValue } from "../dist/stats/ratio-statistic.js";
import { shareAfterNone, wilsonInterval } from "../dist/stats/share-interval.js";
import { weightedJackknife, weightedResamples } from "../dist/stats/weighted-bootstrap.js";
import { columnWidth, legend, percent, Tally } from "./coverage-tally.mjs";

const words = process.argv.slice(2);
const isTrial = words.includes("--try");
const asked = words.filter((word) => word !== "--try");

// Settled before the first run in earnest.
const seed = isTrial ? "trial" : 20_261_120;
const simulations = isTrial ? 20 : 1500;
/** Of sixteen statistics each: these take long. */
const calibrationSimulations = isTrial ? 20 : 200;
const resamples = 2000;
const rates = [0.02, 0.1, 0.5];
const prompts = [5, 10, 20, 30, 50, 100, 300];
const labels = [10, 15, 20, 30, 50, 100];
const items = 400;
const rows = [10, 20, 30, 50, 100, 300];
/** Added when calibration errors were found to hold at none of these. */
const manyRows = [...rows, 1000];
/** How alike outcomes of one prompt are: the correlation of two of them. */
const likeness = 0.2;
/** How many rows a prompt has; one of these each. */
const sizes = { "4 rows each": [4], "1 to 12 rows each": [1, 1, 2, 4, 12] };

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

const parts = {
  "failure-rate": () => {
    for (const [size, of] of Object.entries(sizes)) {
      for (const rate of rates) {
        const population = { values: [1, 0], shares: [rate, 1 - rate], sizes: of };
        clustered(`failure rate ${percent(rate)}, prompts of ${size}`, population, {
          isRate: true,
        });
      }
    }
  },

  difference: () => {
    // Of two metrics on the same rows: fails by one only, by the other only, by both or none.
    for (const rate of rates) {
      const population = {
        values: [1, -1, 0],
        shares: [rate, rate / 2, 1 - 1.5 * rate],
        sizes: [4],
      };
      const name = `difference of failure rates ${percent(rate / 2)}, prompts of 4 rows each`;
      clustered(name, population, { isRate: false });
    }
  },

  "prediction-powered": () => {
    // A metric that errs by as much as people's ratings differ, and one that mostly sees who wins.
    const noisy = (random, label) => label + 1.2 * normal(random);
    const judge = (random, label) => (random.chance(0.7) ? label : random.pick([0, 0.5, 1]));
    const ratings = { values: [1, 2, 3, 4, 5], shares: [0.1, 0.15, 0.2, 0.3, 0.25] };
    const differences = {
      values: [-3, -2, -1, 0, 1, 2, 3],
      shares: [0.03, 0.07, 0.15, 0.3, 0.25, 0.13, 0.07],
    };
    const wins = { values: [0, 0.5, 1] };
    predictionPowered("mean rating, 1 to 4 images a prompt", {
      ...ratings,
      sizes: [1, 2, 4],
      metric: noisy,
      largestWeight: Infinity,
    });
    predictionPowered("difference of ratings", {
      ...differences,
      sizes: [1],
      metric: noisy,
      largestWeight: Infinity,
    });
    for (const shares of [
      [0.4, 0.15, 0.45],
      [0.25, 0.15, 0.6],
      [0.1, 0.1, 0.8],
    ]) {
      predictionPowered("win rate", { ...wins, shares, sizes: [1], metric: judge, cut: [0, 1] });
    }
  },

  wilson: () => {
    for (const rate of rates) {
      heading(`share ${percent(rate)} of independent answers, exact`, ["Wilson"]);
      for (const n of prompts) {
        let covered = 0;
        let width = 0;
        let chance = (1 - rate) ** n;
        for (let successes = 0; successes <= n; successes++) {
          const { low, high } = wilsonInterval(successes, n);
          if (low <= rate && rate <= high) covered += chance;
          width += chance * (high - low);
          chance *= ((n - successes) / (successes + 1)) * (rate / (1 - rate));
        }
        console.log(`${String(n).padStart(6)}  ${percent(covered)}  width ${width.toFixed(3)}`);
      }
    }
  },

  correlation: () => {
    // A score of 20 levels and ratings of 1 to 5 that follow it loosely.
    const population = Array.from({ length: 20 }, (_, x) =>
      [1, 2, 3, 4, 5].map((y) => ({ x, y, share: Math.exp(-0.35 * (y - 1 - x / 5) ** 2) })),
    ).flat();
    resampledRows("correlation", population, {
      names: measures,
      shown: ["spearman", "kendallTauB", "pearson", "pairwiseAccuracy"],
      measure: (of) =>
        measured(
          Float64Array.from(of, ({ x }) => x),
          Float64Array.from(of, ({ y }) => y),
          Int32Array.from(of, (_, at) => at),
        ),
    });
  },

  calibration: () => {
    // A judge of 40 levels of confidence that is surer than it ought to be.
    const population = Array.from({ length: 40 }, (_, at) => {
      const x = (at + 0.5) / 40;
      const likely = 0.5 + 0.7 * (x - 0.5);
      return [
        { x, y: 1, share: likely },
        { x, y: 0, share: 1 - likely },
      ];
    }).flat();
    resampledRows("calibration", population, {
      names: calibrationStatistics,
      samples: calibrationSimulations,
      sizes: manyRows,
      shown: ["accuracy", "kappa", "rocAuc", "brier", "nll", "ece", "mce"],
      measure: (of) => ({
        values: calibrationMeasured(
          Float64Array.from(of, ({ y }) => y),
          Float64Array.from(of, ({ x }) => x),
          { binning: "equal-width", count: 10 },
        ),
      }),
    });
  },
};

console.log(
  `${legend}\nSeed ${seed}, ${simulations} samples (calibration ${calibrationSimulations}), ` +
    `${resamples} resamples of each.`,
);
for (const [name, part] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const start = performance.now();
  part();
  console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
}

/** Intervals of a mean over rows that come in prompts. */
function clustered(name, population, { isRate }) {
  const truth = meanOf(population);
  const term = { weight: 1, groups: [0], numerator: 1, denominator: 0 };
  const within = isRate ? [0, 1] : [-1, 1];
  heading(name, ["percentile", "BCa", "delta", "delta by Student's t, not offered"]);
  for (const n of prompts) {
    const random = randomFrom(seed, "coverage", name, n);
    const tallies = Array.from({ length: 4 }, () => new Tally(truth));
    let alike = 0;
    for (let simulation = 0; simulation < simulations; simulation++) {
      const { cluster, values } = sampleOf(population, n, random);
      const table = clusterSums({
        cluster,
        clusters: n,
        group: new Int32Array(values.length),
        groups: 1,
        columns: [new Float64Array(values.length).fill(1), values],
      });
      const totals = groupTotals(table);
      const value = ratioValue([term], totals, table.width);
      const drawing = { statistics: [[term]], resamples, random: randomFrom(seed, simulation) };
      const [resampled] = clusterResamples(table, drawing);
      const [jackknifed] = clusterJackknife(table, [[term]]);
      const delta = deltaInterval(table, totals, [term]);
      const margin = ((delta[1] - value) * criticalT(0.05, n - 1)) / z;
      const found = [
        percentileInterval(resampled),
        bcaInterval({ value, resampled, jackknifed }),
        delta,
        [value - margin, value + margin],
      ];
      // Where no row fails or all do, a conclusion shows the one-sided bound.
      const hasBound = isRate && (value === 0 || value === 1);
      const bound = value === 0 ? [0, shareAfterNone(n)] : [1 - shareAfterNone(n), 1];
      if (hasBound) alike += 1;
      tallies.forEach((tally, at) => {
        tally.add(hasBound ? bound : found[at], within);
      });
    }
    line(n, tallies, isRate ? `one-sided bound in ${percent(alike / simulations)}` : "");
  }
}

/** What people would say of all items, from labels of some. */
function predictionPowered(name, { metric, cut, largestWeight = 1, ...population }) {
  const truth = meanOf(population);
  heading(`${name}, truth ${truth.toFixed(3)}, labels of ${items} prompts`, [
    "prediction-powered",
    "labels alone",
  ]);
  for (const n of labels) {
    const random = randomFrom(seed, "coverage", name, truth.toFixed(3), n);
    const tallies = [new Tally(truth), new Tally(truth)];
    for (let simulation = 0; simulation < simulations; simulation++) {
      const { cluster, values } = sampleOf(population, items, random);
      const scores = values.map((label) => metric(random, label));
      const first = cluster.findIndex((one) => one >= n);
      const human = values.subarray(0, first);
      const clusters = { labelled: cluster.subarray(0, first), others: cluster.subarray(first) };
      const sample = { human, metric: scores.subarray(0, first), clusters, largestWeight };
      const alone = { labelled: clusters.labelled, others: new Int32Array() };
      [
        predictionPoweredMean({ ...sample, others: scores.subarray(first) }),
        predictionPoweredMean({ ...sample, others: new Float64Array(), clusters: alone }),
      ].forEach((found, at) => {
        tallies[at].add(found.low === null ? found : [found.low, found.high], cut);
      });
    }
    line(n, tallies, "");
  }
}

/** Bootstrap intervals of statistics of independent rows. */
function resampledRows(
  name,
  population,
  { names, shown, measure, samples = simulations, sizes = rows },
) {
  const whole = population.reduce((sum, { share }) => sum + share, 0);
  // The truth: the same statistics of a great many rows.
  const truths = measure(population).values(
    Float64Array.from(population, ({ share }) => (1e9 * share) / whole),
  );
  const shares = population.map(({ share }) => share / whole);
  const tallies = sizes.map((n) => {
    const random = randomFrom(seed, "coverage", name, n);
    const each = truths.map((truth) => [0, 0, 0].map(() => new Tally(truth)));
    for (let simulation = 0; simulation < samples; simulation++) {
      const { values, influence } = measure(
        Array.from({ length: n }, () => population[drawnFrom(shares, random)]),
      );
      const weighted = {
        cluster: Int32Array.from({ length: n }, (_, row) => row),
        clusters: n,
        count: names.length,
        statistics: (weights, into) => into.set(values(weights)),
      };
      const drawing = { ...weighted, resamples, random: randomFrom(seed, simulation) };
      const resampled = weightedResamples(drawing);
      const jackknifed = weightedJackknife(weighted);
      values().forEach((value, at) => {
        const draws = { value, resampled: resampled[at], jackknifed: jackknifed[at] };
        const moves = influence?.(measures[at]);
        const margin = z * influenceError(moves ?? [], weighted.cluster, n);
        const found = [
          percentileInterval(resampled[at]),
          bcaInterval(draws),
          moves && [value - margin, value + margin],
        ];
        each[at].forEach((tally, which) => {
          tally.add(Number.isNaN(value) ? undefined : found[which]);
        });
      });
    }
    console.error(`${name}: ${n} rows`);
    return each;
  });
  names.forEach((statistic, at) => {
    if (!shown.includes(statistic)) return;
    const what = `${statistic} of independent rows, truth ${truths[at].toFixed(3)}`;
    heading(what, ["percentile", "BCa", ...(measure(population).influence ? ["delta"] : [])]);
    sizes.forEach((n, which) => {
      line(n, tallies[which][at].slice(0, measure(population).influence ? 3 : 2), "");
    });
  });
}

/**
 * Values of rows that come in prompts: of one prompt they are drawn from an urn to which each goes
 * back with more of its kind (Dirichlet-multinomial; of two kinds beta-binomial).
 */
function sampleOf({ values, shares, sizes: each }, count, random) {
  const cluster = [];
  const drawn = [];
  for (let prompt = 0; prompt < count; prompt++) {
    const urn = shares.map((share) => share * (1 / likeness - 1));
    const size = random.pick(each);
    for (let row = 0; row < size; row++) {
      const kind = drawnFrom(urn, random);
      urn[kind] += 1;
      cluster.push(prompt);
      drawn.push(values[kind]);
    }
  }
  return { cluster: Int32Array.from(cluster), values: Float64Array.from(drawn) };
}

function drawnFrom(urn, random) {
  let left = random.next() * urn.reduce((sum, much) => sum + much, 0);
  let kind = 0;
  while (kind < urn.length - 1 && left >= urn[kind]) {
    left -= urn[kind];
    kind += 1;
  }
  return kind;
}

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

function heading(text, columns) {
  console.log(
    `\n${text}\n     n  ${columns.map((each) => each.padEnd(columnWidth)).join("  ")}`.trimEnd(),
  );
  console.error(text);
}

function line(n, tallies, more) {
  console.log(`${String(n).padStart(6)}  ${tallies.join("  ")}  ${more}`.trimEnd());
}

function meanOf({ values, shares }) {
  return values.reduce((sum, value, at) => sum + value * shares[at], 0);
}

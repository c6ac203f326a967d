// Whether intervals of `label plan` hold the truth, and how many labels it saves beside uniform labels.
// node bench/label-plan.mjs [--try] [--tables N]: the configuration stands below, committed before its seeds are drawn;
// --try draws others.
import { parseArgs } from "node:util";
import { labelPlan } from "../dist/analysis/label-plan/label-plan.js";
import { randomFrom } from "../dist/core/random.js";
import { normalQuantile, normalTails } from "../dist/stats/normal.js";
import { plannedMean } from "../dist/stats/planned-mean.js";
import { predictionPoweredMean } from "../dist/stats/prediction-powered.js";

const { values } = parseArgs({
  options: { try: { type: "boolean", default: false }, tables: { type: "string" } },
});

/**
 * Six kinds of table, four of them in three rounds, too. Of `compare` the score is the difference of two models' scores, z, and people find the first
 * better where slope z + noise is above 0, so that the true win rate is known; of `rate` the answer is a failure.
 */
const configuration = {
  tables: 1000,
  items: 500,
  budget: 120,
  kinds: {
    useful: { aim: "compare", slope: 2.5 },
    useless: { aim: "compare", slope: 0 },
    misleading: { aim: "compare", slope: -1 },
    clustered: { aim: "compare", slope: 2.5, scores: 4 },
    "rare failures": { aim: "rate", slope: 2, failures: 0.06 },
    "three rounds": { aim: "compare", slope: 2.5, rounds: 3 },
    "useless, three rounds": { aim: "compare", slope: 0, rounds: 3 },
    "misleading, three rounds": { aim: "compare", slope: -1, rounds: 3 },
    "clustered, three rounds": { aim: "compare", slope: 2.5, scores: 4, rounds: 3 },
    "rare failures, three rounds": { aim: "rate", slope: 2, failures: 0.06, rounds: 3 },
  },
  /** Rounds until the wanted width is reached, or all are asked. */
  stopping: {
    tables: 300,
    round: 40,
    kinds: {
      useful: { aim: "compare", slope: 2.5, width: 0.2 },
      useless: { aim: "compare", slope: 0, width: 0.24 },
      clustered: { aim: "compare", slope: 2.5, scores: 4, width: 0.2 },
      "rare failures": { aim: "rate", slope: 2, failures: 0.06, width: 0.12 },
    },
  },
  shift: 0.4,
  seed: values.try ? "try" : "held out 2",
};

const { items, budget, kinds, stopping, shift, seed } = configuration;
const tables = Number(values.tables ?? configuration.tables);
const below = (z) => (z > 0 ? 1 - normalTails(z) / 2 : normalTails(z) / 2);

/** Units and the answers that people would give. */
function table(random, { aim, slope, scores, failures }) {
  const noise = Math.sqrt(1 + slope * slope);
  const cut = failures === undefined ? -shift * noise : -normalQuantile(failures) * noise;
  return Array.from({ length: items }, () => {
    const z = normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, random.next())));
    const shown = scores === undefined ? z : Math.round((z * scores) / 2) / (scores / 2);
    const answer = random.chance(below(slope * z - cut)) ? 1 : 0;
    const score = aim === "rate" ? below(z) : shown;
    return {
      answer,
      unit: {
        score,
        forecast: score,
        groups: [""],
        answer: null,
        weight: null,
        round: null,
        stratum: null,
      },
    };
  });
}

/** The true mean of answers: P(slope z + noise > cut). */
const truthOf = ({ failures }) => failures ?? below(shift);

/** Asks about what is planned. */
function asked(units, all, { drawn, round }) {
  const answered = [...units];
  for (const { at, weight, stratum } of drawn)
    answered[at] = { ...units[at], answer: all[at].answer, weight, stratum, round };
  return answered;
}

function planned(all, { aim, rounds = 1 }, number) {
  let units = all.map(({ unit }) => unit);
  for (let round = 1; round <= rounds; round++) {
    const plan = labelPlan(units, { aim, budget: Math.round(budget / rounds), seed: number });
    units = asked(units, all, plan);
  }
  return units;
}

/** What is said when a plan in rounds stops. */
function stopped(all, { aim, width }, number) {
  let units = all.map(({ unit }) => unit);
  for (;;) {
    const plan = labelPlan(units, { aim, budget: stopping.round, width, seed: number });
    if (plan.chosen === 0) return plan;
    units = asked(units, all, plan);
  }
}

function sampleOf(units, { isWhole }) {
  const known = units.filter(({ answer }) => answer !== null);
  const names = [...new Set(known.map(({ stratum }) => stratum))];
  return {
    human: known.map(({ answer }) => answer),
    metric: known.map(({ forecast }) => forecast),
    others: isWhole
      ? units.filter(({ answer }) => answer === null).map(({ forecast }) => forecast)
      : [],
    weight: known.map(({ weight }) => weight ?? Number.NaN),
    round: known.map(({ round }) => round ?? 1),
    stratum: known.map(({ stratum }) => names.indexOf(stratum)),
    largestWeight: Number.POSITIVE_INFINITY,
  };
}

/** Numbers of uniform labels whose mean width is simulated, to say how many have the planned width. */
const more = [80, 100, 120, 140, 160, 200, 240, 320, 400];
const ways = ["planned, whole table", "planned, next.csv alone", "uniform PPI", "plain mean"];

/** The budget by the uniform labels that have this width, between simulated numbers by a line in 1 / labels. */
function labelsRatio(width, widthAt) {
  for (const [at, labels] of more.entries()) {
    if (widthAt(labels) > width) continue;
    const before = more[at - 1];
    if (before === undefined) return `above ${(budget / labels).toFixed(2)}`;
    const share = (widthAt(before) - width) / (widthAt(before) - widthAt(labels));
    return (budget * (1 / before + share * (1 / labels - 1 / before))).toFixed(2);
  }
  return `below ${(budget / more.at(-1)).toFixed(2)}`;
}

console.log(JSON.stringify({ ...configuration, tables }));
for (const [name, kind] of Object.entries(kinds)) {
  const truth = truthOf(kind);
  const sums = {};
  const take = (way, { low, high }) => {
    sums[way] ??= { held: 0, width: 0, none: 0, count: 0 };
    const its = sums[way];
    if (low === null) {
      its.none += 1;
      return;
    }
    its.count += 1;
    its.width += high - low;
    if (low <= truth && truth <= high) its.held += 1;
  };
  let useful = 0;
  for (let number = 0; number < tables; number++) {
    const random = randomFrom("label plan", seed, name, number);
    const all = table(random, kind);
    const units = planned(all, kind, number);
    take("planned, whole table", plannedMean(sampleOf(units, { isWhole: true })));
    take("planned, next.csv alone", plannedMean(sampleOf(units, { isWhole: false })));
    const shuffled = random.shuffle(all);
    const first = shuffled.slice(0, budget);
    const sample = {
      human: first.map(({ answer }) => answer),
      metric: first.map(({ unit }) => unit.forecast),
      others: shuffled.slice(budget).map(({ unit }) => unit.forecast),
      largestWeight: Number.POSITIVE_INFINITY,
    };
    take("uniform PPI", predictionPoweredMean(sample));
    take("plain mean", predictionPoweredMean({ ...sample, others: [] }));
    for (const labels of more) {
      const known = shuffled.slice(0, labels);
      const metric = known.map(({ unit }) => unit.forecast);
      const human = known.map(({ answer }) => answer);
      const others = shuffled.slice(labels).map(({ unit }) => unit.forecast);
      const largestWeight = Number.POSITIVE_INFINITY;
      take(`PPI ${labels}`, predictionPoweredMean({ human, metric, others, largestWeight }));
      take(`plain ${labels}`, predictionPoweredMean({ human, metric, others: [], largestWeight }));
    }
    const { useful: found } = labelPlan(units, { aim: kind.aim, budget: 10 });
    if (found) useful += 1;
  }
  const widthOf = (way) => sums[way].width / sums[way].count;
  for (const way of ways) {
    const { held, width, count, none } = sums[way];
    const ratio = (other) => labelsRatio(width / count, (labels) => widthOf(`${other} ${labels}`));
    console.log(
      [
        `${name}: ${way}`,
        `holds the truth ${((100 * held) / count).toFixed(1)} % of ${count}${none > 0 ? ` (${none} without an interval)` : ""}`,
        `width ${(width / count).toFixed(4)}`,
        `labels for the same width: ${ratio("PPI")} of uniform PPI, ${ratio("plain")} of plain means`,
      ].join(" | "),
    );
  }
  console.log(`${name}: scores found useful in ${((100 * useful) / tables).toFixed(1)} %`);
}

for (const [name, kind] of Object.entries(stopping.kinds)) {
  const truth = truthOf(kind);
  const sum = { held: 0, plain: 0, labels: 0, rounds: 0, enough: 0, count: 0 };
  const most = Number(values.tables ?? stopping.tables);
  for (let number = 0; number < most; number++) {
    const random = randomFrom("label plan", "stopping", seed, name, number);
    const { reached, enough, round, labels } = stopped(table(random, kind), kind, number);
    const { sequence, low, high } = reached;
    if (sequence.low === null) continue;
    sum.count += 1;
    sum.labels += labels;
    sum.rounds += round - 1;
    if (enough) sum.enough += 1;
    if (sequence.low <= truth && truth <= sequence.high) sum.held += 1;
    if (low <= truth && truth <= high) sum.plain += 1;
  }
  const share = (count) => `${((100 * count) / sum.count).toFixed(1)} %`;
  console.log(
    [
      `stopping at ${kind.width}, ${name}`,
      `${share(sum.enough)} of ${sum.count} reached it`,
      `labels ${(sum.labels / sum.count).toFixed(0)} on average`,
      `rounds ${(sum.rounds / sum.count).toFixed(1)}`,
      `the sequence holds the truth ${share(sum.held)}`,
      `the 95 % interval of the last round ${share(sum.plain)}`,
    ].join(" | "),
  );
}

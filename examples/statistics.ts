// Statistics: arrays in, numbers out.

import {
  averagePrecision,
  bcaInterval,
  benjaminiHochberg,
  bradleyTerry,
  brierScore,
  clusterBootstrap,
  clusterSums,
  cohenKappa,
  errorCoverageArea,
  expectedCalibrationError,
  fleissKappa,
  holm,
  kendallTauB,
  kendallTauC,
  krippendorffAlpha,
  labelsNeeded,
  localizedScore,
  negativeLogLikelihood,
  pairCounter,
  pairedPermutation,
  pairwiseAccuracy,
  pearson,
  percentileInterval,
  predictionPoweredMean,
  quantile,
  randomFrom,
  ranked,
  reliabilityBins,
  rocAuc,
  roganGladen,
  spearman,
  thresholdCounts,
  wilcoxonSignedRank,
  wilsonInterval,
} from "touchstone-t2i/stats";

const [x, y] = [
  [1, 2, 2, 4],
  [1, 3, 2, 4],
];
console.log(pearson(x, y), spearman(ranked(x), ranked(y)));
const pairs = pairCounter(ranked(x), ranked(y))();
console.log(kendallTauB(pairs), kendallTauC(pairs), pairwiseAccuracy(pairs));

const [labels, claimed] = [
  [1, 0, 1, 0],
  [0.9, 0.4, 0.4, 0.1],
];
const counts = thresholdCounts(labels, ranked(claimed));
console.log(rocAuc(counts), averagePrecision(counts), errorCoverageArea(counts));
console.log(brierScore(labels, claimed), negativeLogLikelihood(labels, claimed));
console.log(expectedCalibrationError(reliabilityBins(labels, claimed)));

console.log(cohenKappa([0, 0, 1, 1], [0, 0, 1, 0])); // 0.5
const byThree = [
  [0, 0, 0],
  [1, 1, 0],
];
console.log(fleissKappa(byThree).toFixed(2)); // 0.25
const byTwo = [
  [1, 1],
  [2, 2],
  [3, 4],
];
console.log(krippendorffAlpha(byTwo, { scale: "nominal" })); // 0.6153846153846154
console.log(localizedScore("f1", { tp: 2, fp: 1, tn: 1, fn: 1 })); // 0.6666666666666666

console.log(wilsonInterval(3, 10), holm([0.01, 0.04]), benjaminiHochberg([0.01, 0.04]));
console.log(wilcoxonSignedRank([1, 2, 3]).p); // 0.25
const beaten = [{ a: 0, b: 1, wins: 3, losses: 1, ties: 0 }];
console.log(bradleyTerry(beaten, { models: 2 })?.strengths); // half of log 3, and minus that
const sample = { human: [1, 0, 1, 1], metric: [1, 0, 1, 0], others: [1, 1, 0, 1] };
console.log(predictionPoweredMean(sample).value, labelsNeeded(sample, { mean: 0.8, from: 0.5 }));
const judged = { answers: 1000, flagged: 300, present: 50, hits: 45, absent: 100, rejections: 90 };
console.log(roganGladen(judged).value.toFixed(2)); // 0.25

// Intervals draw whole clusters, here prompts, with numbers that are the same on every machine.
const random = randomFrom(0, "bootstrap");
const cluster = Int32Array.of(0, 0, 1, 2);
const columns = [Float64Array.of(1, 0, 1, 1), new Float64Array(4).fill(1)];
const table = clusterSums({ cluster, group: new Int32Array(4), columns, clusters: 3, groups: 1 });
const mean = [{ weight: 1, groups: [0], numerator: 0, denominator: 1 }]; // a ratio of the two columns
console.log(clusterBootstrap(table, { statistics: [mean], resamples: 100, random }));
const resampled = Float64Array.of(0, 1, 2, 3, 4);
console.log(percentileInterval(resampled), quantile(resampled, 0.5)); // [ 0.1, 3.9 ] 2
console.log(bcaInterval({ value: 2, resampled, jackknifed: Float64Array.of(1, 2, 3) }));
const [one, other] = [{ value: Float64Array.of(1, 0, 1) }, { value: Float64Array.of(0, 0, 1) }];
const unit = Int32Array.of(0, 1, 2);
console.log(pairedPermutation({ one, other, unit, units: 3, permutations: 99, random }).p);

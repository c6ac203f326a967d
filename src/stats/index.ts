export { benjaminiHochberg, benjaminiYekutieli, holm } from "./adjusted-p-values.js";
export { bcaInterval } from "./bca-interval.js";
export { binomialTest } from "./binomial-test.js";
export { bootstrapInterval } from "./bootstrap-interval.js";
export {
  type BradleyTerry,
  bradleyTerry,
  type PairedCount,
  type TieModel,
  tieModels,
  unbeaten,
} from "./bradley-terry.js";
export { type BrierDecomposition, brierDecomposition } from "./brier-decomposition.js";
export { expectedCalibrationError, maximumCalibrationError } from "./calibration-error.js";
export { type Claims, classWise, topLabel } from "./claimed-outcomes.js";
export { clusterBootstrap, type Resampling } from "./cluster-bootstrap.js";
export type { ClusterSums } from "./cluster-sums.js";
export { type ClusterCount, clusteredShare } from "./clustered-share.js";
export { cohenKappa, type KappaWeights, kappaWeights } from "./cohen-kappa.js";
export { type CoveragePoint, errorCoverage, errorCoverageArea } from "./error-coverage.js";
export type { Estimate } from "./estimate.js";
export { fisherZ, largestForFisher } from "./fisher-z.js";
export { fleissKappa, generalisedFleissKappa } from "./fleiss-kappa.js";
export { kendallPValue, kendallTauB, kendallTauC } from "./kendall.js";
export { krippendorffAlpha, type RatingScale, ratingScales } from "./krippendorff-alpha.js";
export {
  type LocalizedCounts,
  type LocalizedScore,
  localizedCounts,
  localizedRatios,
  localizedScore,
  localizedScoreNames,
} from "./localized-answers.js";
export { brierScore, negativeLogLikelihood } from "./losses.js";
export { majorityShare } from "./majority-share.js";
export { normalQuantile } from "./normal.js";
export { type PairCounts, pairwiseAccuracy } from "./pair-counts.js";
export { type Contributions, contributedScore, pairedPermutation } from "./paired-permutation.js";
export { type PairedTTest, pairedTTest } from "./paired-t-test.js";
export { correlationPValue, pearson } from "./pearson.js";
export { percentileInterval, quantile } from "./percentile-interval.js";
export {
  type LabelledSample,
  labelsNeeded,
  type PredictionPoweredMean,
  predictionPoweredMean,
} from "./prediction-powered.js";
export { type Ranked, ranked } from "./ranked.js";
export { type RatioStatistic, type RatioTerm, ratioValue } from "./ratio-statistic.js";
export { type KindCount, type KindsOfCluster, relabellingTest } from "./relabelling-test.js";
export {
  type Binning,
  binnings,
  type ReliabilityBin,
  reliabilityBins,
} from "./reliability-bins.js";
export { type CorrectedShare, type JudgedCounts, roganGladen } from "./rogan-gladen.js";
export { wilsonInterval } from "./share-interval.js";
export { signFlipTest } from "./sign-flip-test.js";
export { spearman } from "./spearman.js";
export { criticalT, studentTPValue } from "./student-t.js";
export {
  averagePrecision,
  f1Score,
  precisionRecallArea,
  rocAuc,
  type ThresholdCounts,
} from "./threshold-measures.js";
export { tieAccuracy, tieEpsilon } from "./tie-thresholds.js";
export { type Clustering, twoWayError } from "./two-way-error.js";
export { type SignedRankTest, wilcoxonRankSum, wilcoxonSignedRank } from "./wilcoxon.js";

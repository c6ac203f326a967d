export { bcaInterval } from "./bca-interval.js";
export { benjaminiHochberg } from "./benjamini-hochberg.js";
export { benjaminiYekutieli } from "./benjamini-yekutieli.js";
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
export { brierScore } from "./brier-score.js";
export { type Claims, classWise, topLabel } from "./claimed-outcomes.js";
export { clusterBootstrap, type Resampling } from "./cluster-bootstrap.js";
export type { ClusterSums } from "./cluster-sums.js";
export { type ClusterCount, clusteredShare } from "./clustered-share.js";
export { cohenKappa, type KappaWeights, kappaWeights } from "./cohen-kappa.js";
export { correlationPValue } from "./correlation-p-value.js";
export { type CoveragePoint, errorCoverage, errorCoverageArea } from "./error-coverage.js";
export type { Estimate } from "./estimate.js";
export { expectedCalibrationError } from "./expected-calibration-error.js";
export { f1Score } from "./f1-score.js";
export { fisherZ, largestForFisher } from "./fisher-z.js";
export { fleissKappa } from "./fleiss-kappa.js";
export { generalisedFleissKappa } from "./generalised-fleiss-kappa.js";
export { holm } from "./holm.js";
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
export { majorityShare } from "./majority-share.js";
export { maximumCalibrationError } from "./maximum-calibration-error.js";
export { negativeLogLikelihood } from "./negative-log-likelihood.js";
export { normalQuantile } from "./normal-quantile.js";
export type { PairCounts } from "./pair-counts.js";
export { type Contributions, contributedScore, pairedPermutation } from "./paired-permutation.js";
export { type PairedTTest, pairedTTest } from "./paired-t-test.js";
export { pairwiseAccuracy } from "./pairwise-accuracy.js";
export { pearson } from "./pearson.js";
export { percentileInterval } from "./percentile-interval.js";
export { averagePrecision, precisionRecallArea } from "./precision-recall.js";
export { labelsNeeded } from "./prediction-powered-labels.js";
export {
  type LabelledSample,
  type PredictionPoweredMean,
  predictionPoweredMean,
} from "./prediction-powered-mean.js";
export { quantile } from "./quantile.js";
export { type Ranked, ranked } from "./ranked.js";
export { type RatioStatistic, type RatioTerm, ratioValue } from "./ratio-statistic.js";
export { type KindCount, type KindsOfCluster, relabellingTest } from "./relabelling-test.js";
export {
  type Binning,
  binnings,
  type ReliabilityBin,
  reliabilityBins,
} from "./reliability-bins.js";
export { rocAuc } from "./roc-auc.js";
export { type CorrectedShare, type JudgedCounts, roganGladen } from "./rogan-gladen.js";
export { signFlipTest } from "./sign-flip-test.js";
export { spearman } from "./spearman.js";
export { criticalT, studentTPValue } from "./student-t.js";
export type { ThresholdCounts } from "./threshold-counts.js";
export { tieAccuracy, tieEpsilon } from "./tie-thresholds.js";
export { type Clustering, twoWayError } from "./two-way-error.js";
export { wilcoxonRankSum } from "./wilcoxon-rank-sum.js";
export { type SignedRankTest, wilcoxonSignedRank } from "./wilcoxon-signed-rank.js";
export { wilsonInterval } from "./wilson-interval.js";

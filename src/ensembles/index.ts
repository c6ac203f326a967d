export { averageWeights, bayesianPromptEnsemble, bestPrompt, oneGroup } from "./baselines.js";
export { answersNeeded, atMostErrors, binomialUpperBound } from "./binomial-bound.js";
export {
  type ChoosingOptions,
  chooseWeights,
  choosingWeights,
  defaultLambdas,
  type Grouping,
  type WeightCandidate,
  type WeightChoice,
} from "./choose-weights.js";
export { type ClosedFormOptions, closedFormWeights } from "./closed-form-weights.js";
export { cosines } from "./cosines.js";
export { type EnsembleInput, ensemblePrediction } from "./ensemble-prediction.js";
export {
  type AskedSoFar,
  nextPrompts,
  type ProbabilityBounds,
  probabilityBounds,
  probabilitySoFar,
  settledVerdict,
  type Verdict,
  verdictOf,
} from "./fewer-calls.js";
export type { AnswerModel } from "./fewer-calls-forecast.js";
export {
  decideRating,
  type RatingDecision,
  type RatingScale,
  ratingRule,
} from "./fewer-calls-ratings.js";
export type { Approximation, AskingRule, Decided } from "./fewer-calls-replay.js";
export { type LabelLikelihoods, labelLikelihoods, leastLikelihood } from "./label-likelihoods.js";
export { normaliseRows, pairEmbedding, softMembership } from "./membership.js";
export { type MixtureFit, type MixtureOptions, mixtureWeights } from "./mixture-weights.js";
export { type PromptWeights, promptWeights } from "./prompt-weights.js";
export {
  type Assurance,
  type Certified,
  type CheckedDecision,
  certify,
  countsAtThresholds,
  labelsThatWouldDo,
  type NotCertified,
  ofTry,
  type ThresholdCount,
} from "./selective-certificate.js";
export { type SimulatedCertificates, simulateCertificates } from "./selective-simulation.js";
export { type TriedThreshold, triedThresholds } from "./selective-thresholds.js";
export { type Clustering, sphericalKMeans } from "./spherical-k-means.js";
export {
  type ClosedFormObjective,
  type Objective,
  objectives,
  type WeightProblem,
} from "./weight-problem.js";

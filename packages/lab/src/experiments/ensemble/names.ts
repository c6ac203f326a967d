import type { ExperimentMetric } from "./metrics.js";

export const metricNames: Readonly<Record<ExperimentMetric, string>> = {
  ece: "ECE",
  mce: "MCE",
  nll: "NLL",
  brier: "Brier",
  accuracy: "accuracy",
  f1: "F1",
  kappa: "kappa",
  rocAuc: "ROC-AUC",
  averagePrecision: "AUC-PR",
  precisionRecallArea: "AUC-PR by trapezoids",
  errorCoverageArea: "error over coverage",
  confidence: "confidence",
};

/** Returns the printed name of a method: "MMB global" for "mmb global-entropy". */
export function methodName(method: string): string {
  const [kind = "", objective] = method.split(" ");
  const name = { standard: "Standard", best: "Best", average: "Average", bpe: "BPE", mmb: "MMB" };
  const known = name[kind as keyof typeof name] ?? kind;
  if (objective === undefined) return kind === "bpe" ? "BPE (Eq. 5)" : known;
  return `${known} ${objective.replace("-entropy", "")}`;
}

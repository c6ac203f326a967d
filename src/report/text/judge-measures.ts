import type { JudgeArtefact } from "../../judges/judge-artefact.js";
import type { Estimate } from "../../stats/estimate.js";

const measures = [
  ["accuracy", "accuracy"],
  ["no more than one off", "withinOne"],
  ["mean error of the expected rating", "meanAbsoluteError"],
  ["expected calibration error", "ece"],
  ["negative log-likelihood", "nll"],
  ["Brier score", "brier"],
  ["ranked probability score", "rps"],
  ["in the 95 % interval", "intervalCoverage"],
] as const;

/** Measures of a judge on held-out labels, by name; none where there were no such labels. */
export function measuresOfJudge({
  calibration,
  scale,
}: Pick<JudgeArtefact, "calibration" | "scale">): readonly (readonly [string, Estimate])[] {
  const within = scale?.within ?? 0;
  return measures.flatMap(([name, measure]) => {
    const estimate = calibration?.[measure];
    // It is of the confidence that the judge decides by.
    const said = measure === "ece" && within > 0 ? `${name}, within ${within}` : name;
    return estimate === undefined ? [] : [[said, estimate] as const];
  });
}

import { writeFile } from "node:fs/promises";
import { calibration } from "../../src/analysis/calibration/calibration.js";
import { randomFrom } from "../../src/core/random.js";
import { countsAtThresholds } from "../../src/ensembles/selective-certificate.js";
import { sealedJudge } from "../../src/judges/judge-artefact.js";
import { comparison, savedJudge } from "./saved-judge.js";

/**
 * Writes the file of a judge of pairs that was measured on `labels` made-up answers, which are right as
 * often as they are sure.
 */
export async function generatedJudge(path: string, { labels }: { readonly labels: number }) {
  const random = randomFrom(3, "judge");
  const rows = Array.from({ length: labels }, (_, at) => {
    const confidence = 0.5 + 0.5 * Math.sqrt(random.next());
    return { id: String(at), probability: confidence, label: random.next() < confidence ? 1 : 0 };
  });
  const measured = calibration(rows);
  const decisions = rows.map(({ probability, label }) => ({
    confidence: probability,
    isWrong: label === 0,
  }));
  const tried = Array.from({ length: 46 }, (_, at) => ({
    threshold: (95 - at) / 100,
    expectedCoverage: at / 45,
  }));
  const { accuracy, ece, nll, brier } = measured.intervalsOf;
  const judge = savedJudge({
    prompts: [comparison("straight"), comparison("flipped")],
    embedder: { model: "test:eye", dimensions: 2 },
    groups: {
      clusters: 2,
      temperature: 0.1,
      centroids: [
        [1, 0],
        [0, 1],
      ],
    },
    weights: [
      [0.75, 0.25],
      [0.1, 0.9],
    ],
    labels: {
      hash: "ab",
      n: labels + 20,
      fitting: 20,
      deciding: labels,
      couldDecide: labels,
      idle: 0,
      ties: 0,
      reviewed: 0,
      idleReviewed: 0,
      unscored: 0,
    },
    calibration: { n: labels, bins: [...measured.bins], accuracy, ece, nll, brier },
    certification: {
      method: "split",
      n: labels,
      counts: countsAtThresholds(decisions, tried),
      approximate: [],
      target: 0.1,
      confidence: 0.95,
      threshold: null,
    },
  });
  await writeFile(path, sealedJudge(judge));
  return judge;
}

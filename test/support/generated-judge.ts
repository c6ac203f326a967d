import { writeFile } from "node:fs/promises";
import { calibration } from "../../src/analysis/calibration/calibration.js";
import { randomFrom } from "../../src/core/random.js";
import { countsAtThresholds } from "../../src/ensembles/selective-counts.js";
import type { JudgeArtefact } from "../../src/judges/judge-artefact.js";
import { sealedJudge } from "../../src/judges/judge-artefact.js";

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
  const prompts = ["straight", "flipped"].map((order) => ({
    id: `plain/short/fidelity/AB/${order}`,
    pool: "pairwise@1",
    kind: "pairwise" as const,
    parts: { ...parts, order: order === "straight" ? ("straight" as const) : ("flipped" as const) },
    system: "You compare.",
    task: '"{caption}"',
    question: "A or B?",
    labels: ["A", "B"],
    answers: ["A", "B"],
    order: ["a", "b"],
  }));
  const { accuracy, ece, nll, brier } = measured.intervalsOf;
  const judge: JudgeArtefact = {
    kind: "touchstone-judge",
    version: 3,
    software: "touchstone-t2i 0.2.0",
    command: ["labels.csv", "--model", "test:parrot"],
    task: "pair",
    scale: null,
    model: { model: "test:parrot" },
    way: "tokens",
    trials: 1,
    ties: false,
    prompts,
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
    fit: {
      objective: "mixture",
      lambda: 0.1,
      objectiveValue: -1,
      dualityGap: 1e-9,
      leaveOneOutNll: 0.3,
      tried: 16,
      seed: 0,
    },
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
    forecast: null,
    fewerCalls: null,
  };
  await writeFile(path, sealedJudge(judge));
  return judge;
}

const parts = { persona: "plain", template: "short", criterion: "fidelity", glyphs: "AB" } as const;

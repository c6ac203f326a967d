import { describe, expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { type JudgeArtefact, judgeHash, openedJudge, sealedJudge } from "./judge-artefact.js";

const estimate = { value: 0.1 + 0.2, low: 0, high: 1 };
const judge: JudgeArtefact = {
  kind: "touchstone-judge",
  version: 3,
  software: "touchstone-t2i 0.0.0",
  command: ["labels.csv", "--model", "test:parrot"],
  task: "pair",
  scale: null,
  model: { model: "test:parrot" },
  way: "tokens",
  trials: 1,
  ties: false,
  prompts: [
    {
      id: "plain/short/fidelity/AB/straight",
      pool: "pairwise@1",
      kind: "pairwise",
      parts: {
        persona: "plain",
        template: "short",
        criterion: "fidelity",
        glyphs: "AB",
        order: "straight",
      },
      system: "You compare.",
      task: '"{caption}"',
      question: "A or B?",
      labels: ["A", "B"],
      answers: ["A", "B"],
      order: ["a", "b"],
    },
  ],
  embedder: null,
  groups: { clusters: 1, temperature: null, centroids: [] },
  weights: [[1]],
  fit: {
    objective: "mixture",
    lambda: 0.1,
    objectiveValue: -1 / 3,
    dualityGap: 1e-9,
    leaveOneOutNll: null,
    tried: 16,
    seed: 0,
  },
  labels: {
    hash: "ab",
    n: 2,
    fitting: 2,
    deciding: 0,
    couldDecide: 2,
    idle: 0,
    ties: 0,
    reviewed: 0,
    idleReviewed: 0,
    unscored: 0,
  },
  calibration: { n: 1, accuracy: estimate, ece: estimate, nll: estimate, brier: estimate },
  certification: {
    method: "none",
    n: 0,
    counts: [],
    approximate: [],
    target: 0.05,
    confidence: 0.95,
    threshold: null,
  },
  forecast: { risk: 0.01, means: [0.5], covariances: [[0.25]] },
  fewerCalls: null,
};

const problemOf = (text: string): string => {
  try {
    openedJudge(text, "judge.json");
    return "none";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return `${error.message} ${error.hint}`;
  }
};

describe("a saved judge", () => {
  test("comes back to the last digit", () => {
    expect(openedJudge(sealedJudge(judge), "judge.json")).toEqual(judge);
    expect(JSON.parse(sealedJudge(judge)).hash).toBe(judgeHash(judge));
  });

  test("does not mind the order and the layout of its members", () => {
    const members = Object.entries(JSON.parse(sealedJudge(judge))).reverse();
    expect(openedJudge(JSON.stringify(Object.fromEntries(members)), "judge.json")).toEqual(judge);
  });

  test("is refused where any number or word was changed", () => {
    const text = sealedJudge(judge);
    for (const [from, to] of [
      ["0.95", "0.5"],
      ["You compare.", "You compare!"],
      ["test:parrot", "test:owl"],
      ["0.25", "0.2500001"],
    ] as const) {
      expect(text).toContain(from);
      expect(problemOf(text.replace(from, to))).toContain("changed since it was saved");
    }
  });

  test("is refused where it is of a newer version, no judge, or cut short", () => {
    const text = sealedJudge(judge);
    expect(problemOf(text.replace('"version": 3', '"version": 9'))).toMatch(/version 9.*update/);
    for (const other of ["", "[]", "{}", "null", text.slice(0, 100)]) {
      expect(problemOf(other)).toContain("received something else");
    }
  });
});

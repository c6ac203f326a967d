import { describe, expect, test } from "vitest";
import { savedJudge } from "../../test/support/saved-judge.js";
import { InputError } from "../core/errors.js";
import { judgeHash, openedJudge, sealedJudge } from "./judge-artefact.js";

const estimate = { value: 0.1 + 0.2, low: 0, high: 1 };
const judge = savedJudge({
  calibration: { n: 1, accuracy: estimate, ece: estimate, nll: estimate, brier: estimate },
  forecast: { risk: 0.01, means: [0.5], covariances: [[0.25]] },
});

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

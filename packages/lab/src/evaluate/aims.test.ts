import { expect, test } from "vitest";
import { evaluatedModelNames } from "../models/lab-model.js";
import { judgeAims } from "./aims.js";
import type { ModelEvaluation } from "./evaluate-model.js";
import type { Share } from "./share.js";

const share = (value: number, low: number, high: number, n = 100) => ({
  value,
  low,
  high,
  n,
  successes: value * n,
  unscored: 0,
});

function answerer(types: Record<string, Share>, median: number | null) {
  const nothing = share(0.5, 0.4, 0.6);
  return {
    kind: "question-answerer",
    name: "vqa",
    revision: "abc",
    unseenStyles: [],
    unseenWithPeople: [],
    bytes: { total: 1, files: {} },
    accuracy: { overall: share(0.93, 0.91, 0.94), types, styles: {} },
    yes: { said: nothing, right: nothing },
    calibration: { n: 1, ece: nothing, brier: nothing, bins: [] },
    swaps: { failures: share(0.2, 0.1, 0.3), ties: 0 },
    milliseconds: { image: { median, n: 9 }, question: { median: 1, n: 9 } },
  } as unknown as ModelEvaluation;
}

test("an aim is reached, or missed, by the whole interval", () => {
  const types = { colour: share(0.95, 0.9, 0.97), sign: share(0.7, 0.6, 0.78, 20) };
  const found = judgeAims([answerer(types, 8)]).map(({ figure, n, outcome }) => [
    figure,
    n,
    outcome,
  ]);
  expect(found).toEqual([
    ["right answers", 100, "reached"],
    ["right answers, lowest type: sign", 20, "missed"],
    ["swapped attributes preferred", 100, "undecided"],
    ["an image, median", 9, "reached"],
  ]);
});

test("what was not measured reaches nothing", () => {
  const time = judgeAims([answerer({}, null)]).at(-1);
  expect(time).toMatchObject({ figure: "an image, median", outcome: "undecided" });
});

test("a type of which nothing was answered is the lowest, and undecided", () => {
  const none = { ...share(0, 0, 0, 0), value: null, low: null, high: null, unscored: 7 };
  const types = { colour: share(0.95, 0.9, 0.97), sign: none };
  const found = judgeAims([answerer(types, 8)]);
  expect(found[1]).toMatchObject({
    figure: "right answers, lowest type: sign",
    outcome: "undecided",
  });
});

test("weights together are judged where every model of the package is there, and only then", () => {
  const ofSize = (total: number) =>
    evaluatedModelNames.map((name) => ({ ...answerer({}, 8), name, bytes: { total, files: {} } }));
  const each = 26e6 / evaluatedModelNames.length;
  expect(judgeAims(ofSize(each)).at(-1)).toMatchObject({
    figure: "weights together",
    model: "all",
    unit: "MB",
    n: evaluatedModelNames.length,
    aim: { most: 26 },
    outcome: "reached",
  });
  expect(judgeAims(ofSize(each + 1)).at(-1)).toMatchObject({ unit: "MB", outcome: "missed" });
  const some = judgeAims(ofSize(each).slice(1));
  expect(some.filter(({ unit }) => unit === "MB")).toEqual([]);
});

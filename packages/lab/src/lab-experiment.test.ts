import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { labDemography, labExperiment } from "./lab-experiment.js";

const recipeOf = (experiment: typeof labExperiment) =>
  experiment({ size: "small", seed: 1 }).steps.find(({ name }) => name === "build-prompts")
    ?.parameters;

test("the demo draws from a split that lab:proto-score was not trained on", async () => {
  const file = new URL("../../../data/proto-score/lab.yaml", import.meta.url);
  const { splitSeed, train } = parse(await readFile(file, "utf8"));
  expect(train.split).not.toBe("evaluation");
  expect(recipeOf(labExperiment)).toMatchObject({ splitSeed, splits: ["evaluation"] });
});

test("groups of people have a chapter of their own", () => {
  expect(recipeOf(labExperiment)).toMatchObject({ domains: ["animals", "objects"] });
  expect(recipeOf(labDemography)).toMatchObject({ domains: ["demography"] });
});

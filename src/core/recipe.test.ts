import { expect, test } from "vitest";
import { type DescribedStep, differences, extended, type NewRun, recipeFor } from "./recipe.js";

const run: NewRun = {
  command: "touchstone demo",
  seed: 0,
  software: "1.0.0",
  sources: [{ path: "data/a.yaml", sha256: "aa" }],
  models: ["lab:painter"],
};
const step = (name: string, parameters: DescribedStep["parameters"] = {}, version = 1) => ({
  name,
  version,
  produces: "image",
  parameters,
});
const recipe = extended(recipeFor(run), { run, steps: [step("build", { size: "small" })] });

test("what is the same again differs in nothing and adds nothing", () => {
  const again = { run, steps: [step("build", { size: "small" })] };
  expect(differences(recipe, again)).toEqual([]);
  expect(extended(recipe, again)).toEqual(recipe);
});

test("another command adds its steps, sources and models after those that stand", () => {
  const other: NewRun = {
    command: "touchstone score",
    seed: 0,
    software: "1.1.0",
    sources: [{ path: "b.csv", sha256: "bb" }],
    models: ["lab:painter", "lab:judge"],
  };
  const added = { run: other, steps: [step("score")] };
  expect(differences(recipe, added)).toEqual([]);
  expect(extended(recipe, added)).toMatchObject({
    software: ["1.0.0", "1.1.0"],
    commands: ["touchstone demo", "touchstone score"],
    models: ["lab:painter", "lab:judge"],
    sources: [{ path: "data/a.yaml" }, { path: "b.csv" }],
    steps: [{ name: "build" }, { name: "score" }],
  });
});

test("the last command is the one given last", () => {
  const second = extended(recipe, { run: { ...run, command: "touchstone score" } });
  expect(extended(second, { run }).commands).toEqual(["touchstone score", "touchstone demo"]);
});

test("says all that differs: seed, content, version, parameters", () => {
  const found = differences(recipe, {
    run: { ...run, seed: 7, sources: [{ path: "data/a.yaml", sha256: "zz" }] },
    steps: [step("build", { size: "full", extra: [1, 2] }, 2)],
  });
  expect(found).toEqual([
    "the seed was 0 and is now 7",
    "the content of data/a.yaml has changed since the run was made",
    "step build was version 1 and is now 2",
    'size of step build was "small" and is now "full"',
    "extra of step build was absent and is now [1,2]",
  ]);
});

test("names the flags of the user where the command lines of one verb differ", () => {
  const line = "touchstone build --run runs/mine";
  const before = extended(recipeFor({ seed: 0, software: "1" }), {
    run: { ...run, command: `${line} --seed 0 --prompts 6 --drawable-by 'my painter'` },
    steps: [step("build", { size: { total: 6 }, drawableOnly: true })],
  });
  const other = extended(before, { run: { ...run, command: "touchstone score runs/mine" } });
  const steps = [step("build", { size: { total: 7 }, drawableOnly: false })];
  const told = (command: string, more = {}) =>
    differences(other, { run: { ...run, command, ...more }, steps });
  const inside = [
    'size of step build was {"total":6} and is now {"total":7}',
    "drawableOnly of step build was true and is now false",
  ];
  expect(told(`${line} --prompts 7 --spread`)).toEqual([
    "--prompts was 6 and is now 7",
    "--drawable-by was 'my painter' and is now not given",
    "--spread was not given and is now given",
    ...inside,
  ]);
  // What no flag of the user's says is said as it stands in the recipe.
  expect(told(`${line} --prompts 6 --drawable-by 'my painter'`)).toEqual(inside);
  expect(told("touchstone demo")).toEqual(inside);
});

test("long parameters are shown from just before the place where they differ", () => {
  const told = (was: string, is: string) => {
    const before = extended(recipe, { steps: [step("paint", { prompts: was })] });
    return differences(before, { steps: [step("paint", { prompts: is })] });
  };
  const x = "x".repeat(99);
  const y = "y".repeat(99);
  expect(told(`${x}a`, `${x}b${y}`)).toEqual([
    `prompts of step paint was …${x.slice(0, 20)}a" and is now …${x.slice(0, 20)}b${y.slice(0, 39)}…`,
  ]);
  expect(told(x, y)).toEqual([
    `prompts of step paint was "${x.slice(0, 59)}… and is now "${y.slice(0, 59)}…`,
  ]);
});

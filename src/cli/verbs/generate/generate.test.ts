import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

async function touchstone(workingDirectory: string, line: string) {
  return touchstoneHere(line.split(" "), { workingDirectory });
}

const build = "build --run run --prompts 2 --domain animals --drawable-by lab:painter";
const generate = "generate --run run --model lab:painter --samples 1";

test("--defects demo paints with the demo's mistakes, and images say so", async () => {
  const directory = await temporaryDirectory();
  expect(await touchstone(directory, build)).toMatchObject({ code: 0 });
  expect(await touchstone(directory, `${generate} --defects demo`)).toMatchObject({ code: 0 });
  const folder = join(directory, "run/records");
  const name = (await readdir(folder)).find((file) => file.includes("paint-images")) ?? "";
  const images = (await readFile(join(folder, name), "utf8")).trim().split("\n");
  const models = images.map((line) => JSON.parse(line).model);
  expect(new Set(models)).toEqual(new Set(["lab:painter@drop0.05-miscount0.1-drift0.1"]));

  const recipe = join(directory, "run/run.json");
  const before = await readFile(recipe, "utf8");
  const { code, stderr } = await touchstone(directory, generate);
  expect(code).toBe(2);
  expect(stderr).toContain("--defects was demo and is now none");
  expect(stderr).toMatch(new RegExp(`:\\s+touchstone ${generate} --defects demo\\n`));
  expect(await readFile(recipe, "utf8")).toBe(before);
});

test("without --defects the painter makes no mistakes", async () => {
  const directory = await temporaryDirectory();
  await touchstone(directory, build);
  await touchstone(directory, generate);
  const { models } = JSON.parse(await readFile(join(directory, "run/run.json"), "utf8"));
  expect(models).toEqual(["lab:painter@no-defects"]);
});

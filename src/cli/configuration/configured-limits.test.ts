import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { configuredLimits } from "./configuration.js";

test("flags come before the environment, and the environment before the settings", async () => {
  const workingDirectory = await temporaryDirectory();
  const budget = "budget: { maxCalls: 10, maxCost: 0.5, maxMinutes: 1.5 }\n";
  await writeFile(join(workingDirectory, "touchstone.config.yaml"), budget);
  const variables = { TOUCHSTONE_MAX_CALLS: "7", TOUCHSTONE_MAX_COST: " 2.5 " };
  const outside = { workingDirectory, variables };
  expect(await configuredLimits({ "max-cost": 0 }, outside)).toEqual({
    "max-calls": 7,
    "max-minutes": 1.5,
  });
  expect(await configuredLimits({}, outside)).toMatchObject({ "max-cost": 2.5 });
});

test.each(["-1", "1.5", "many"])("refuses %s calls", async (text) => {
  const outside = {
    workingDirectory: await temporaryDirectory(),
    variables: { TOUCHSTONE_MAX_CALLS: text },
  };
  await expect(configuredLimits({}, outside)).rejects.toThrow(`TOUCHSTONE_MAX_CALLS but received`);
});

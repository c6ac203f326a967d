import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { withEnvironmentFile } from "../main.js";

it("reads .env below the real environment", async () => {
  const folder = await temporaryDirectory();
  writeFileSync(join(folder, ".env"), '# keys\nA_KEY="one two"\nB_KEY=three\n');
  expect(withEnvironmentFile({ B_KEY: "real" }, folder)).toEqual({
    A_KEY: "one two",
    B_KEY: "real",
  });
});

it("does without one", () => {
  expect(withEnvironmentFile({ A: "a" }, "/no/such/folder")).toEqual({ A: "a" });
});

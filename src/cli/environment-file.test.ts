import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withEnvironmentFile } from "./environment-file.js";

it("reads .env below the real environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  writeFileSync(join(folder, ".env"), '# keys\nA_KEY="one two"\nB_KEY=three\n');
  expect(withEnvironmentFile({ B_KEY: "real" }, folder)).toEqual({
    A_KEY: "one two",
    B_KEY: "real",
  });
});

it("does without one", () => {
  expect(withEnvironmentFile({ A: "a" }, "/no/such/folder")).toEqual({ A: "a" });
});

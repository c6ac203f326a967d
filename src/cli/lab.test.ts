import { expect, test } from "vitest";
import { labHint } from "./lab.js";
import { asTyped, version } from "./program.js";

test("says how to come to the lab where npm install reaches it, and where it doesn't", () => {
  const lab = `touchstone-t2i-lab@${version()}`;
  expect(labHint()).toBe(`Install it: npm install ${lab}`);
  const inWheel = asTyped(labHint(true), { program: "/venv/bin/touchstone" });
  expect(inWheel).not.toContain("npm install");
  expect(inWheel).toContain(`npx -p touchstone-t2i@${version()} -p ${lab} touchstone`);
  expect(inWheel).toContain("/venv/bin/touchstone evidence");
  expect(inWheel).toContain("A clone of the repository");
});

import { expect, test } from "vitest";
import { labHint } from "./lab.js";
import { asTyped, version } from "./program.js";

test("says how to come to the lab from npm, and from a wheel of Python", () => {
  expect(labHint(false)).toBe(`Install it: npm install touchstone-t2i-lab@${version()}`);
  const inWheel = asTyped(labHint(true), { program: "/venv/bin/touchstone" });
  expect(inWheel).toContain("pip install 'touchstone-t2i[lab]'");
  expect(inWheel).toContain("uvx --from 'touchstone-t2i[lab]' touchstone-t2i demo");
  expect(inWheel).toContain("/venv/bin/touchstone evidence");
});

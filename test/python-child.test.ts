import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("what the Python package runs is exported by the built module that it names", async () => {
  const child = readFileSync(new URL("../python/child.mjs", import.meta.url), "utf8");
  const [, names = ""] = /const \{ ([^}]+) \} = await import\(main\)/.exec(child) ?? [];
  expect(child).toContain('"dist/cli/main.js"');
  const main: object = await import("../src/cli/main.js");
  expect(Object.keys(main)).toEqual(expect.arrayContaining(names.split(", ")));
  expect(names.split(", ").length).toBeGreaterThan(1);
});

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";

const loadedByImport = fileURLToPath(new URL("support/loaded-by-import.mjs", import.meta.url));
const entry = new URL("../dist/index.js", import.meta.url).href;
const { modules, files } = z
  .object({ modules: z.array(z.string()), files: z.array(z.string()) })
  .parse(JSON.parse(execFileSync(process.execPath, [loadedByImport, entry], { encoding: "utf8" })));

/** Of the library and of its packages together, with room for five metrics; fewer is better. */
const mostModules = 465;

test("importing the library loads few modules, and no package that is heavy", () => {
  const packages = modules.flatMap(
    (url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [],
  );
  expect([...new Set(packages)].sort()).toEqual(["@noble/hashes", "zod"]);
  expect(modules.length).toBeGreaterThan(100);
  expect(modules.length).toBeLessThanOrEqual(mostModules);
});

test("importing the library reads no file but its modules", () => {
  expect(files.filter((file) => /\/(data|weights)\/|art\.json/.test(file))).toEqual([]);
});

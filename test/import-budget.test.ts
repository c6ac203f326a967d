import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";

const loadedByImport = fileURLToPath(new URL("support/loaded-by-import.mjs", import.meta.url));
const entry = new URL("../dist/index.js", import.meta.url).href;
const loaded = z.object({ modules: z.array(z.string()), files: z.array(z.string()) });
const { modules, files } = loaded.parse(
  JSON.parse(execFileSync(process.execPath, [loadedByImport, entry], { encoding: "utf8" })),
);

/** Of the library and of its packages together, with room for five metrics; fewer is better. */
const mostModules = 180;
/** Of a command line that concludes from a table: files, and the modules of ours that were joined in them. */
const mostOfVerb = { files: 40, modules: 150 };

test("importing the library loads few modules, and no package that is heavy", () => {
  const packages = modules.flatMap(
    (url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [],
  );
  expect([...new Set(packages)].sort()).toEqual(["@noble/hashes", "zod"]);
  expect(modules.length).toBeGreaterThan(30);
  expect(modules.length).toBeLessThanOrEqual(mostModules);
});

test("importing the library reads no file but its modules", () => {
  expect(files.filter((file) => /\/(data|weights)\/|art\.json/.test(file))).toEqual([]);
});

test("analyze contrastive loads no run, no schema and few modules", () => {
  const sample = fileURLToPath(new URL("../data/examples/contrastive.csv", import.meta.url));
  const words = ["analyze", "contrastive", sample, "--resamples", "100", "--json"];
  const main = new URL("../dist/cli/main.js", import.meta.url).href;
  const printed = execFileSync(process.execPath, [loadedByImport, main, ...words], {
    encoding: "utf8",
  });
  const { modules } = loaded.parse(JSON.parse(printed.trimEnd().split("\n").at(-1) ?? ""));
  const joined = modules
    .filter((url) => /\/dist\/.*\.js$/.test(url))
    .flatMap((url) => readFileSync(fileURLToPath(url), "utf8").match(/^\/\/ dist\/.*$/gm) ?? []);
  expect(
    [...modules, ...joined].filter((url) => /\/zod\/|run-folder|records\.js/.test(url)),
  ).toEqual([]);
  expect(joined.length).toBeGreaterThan(100);
  expect(joined.length).toBeLessThanOrEqual(mostOfVerb.modules);
  expect(modules.length).toBeLessThanOrEqual(mostOfVerb.files);
});

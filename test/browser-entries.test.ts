import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { exports: entries } = z
  .object({ exports: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")));

const addressOf = (entry: string) => {
  const { default: path } = z.object({ default: z.string() }).parse(entries[`./${entry}`]);
  return new URL(`../${path}`, import.meta.url);
};

/** The entry as one script that a browser loads as `entry`, and what that still imports. */
async function bundled(entry: string) {
  const bundle = await rolldown({
    input: fileURLToPath(addressOf(entry)),
    platform: "browser",
    external: /^node:/,
    logLevel: "silent",
  });
  try {
    const { output } = await bundle.generate({
      format: "iife",
      name: "entry",
      codeSplitting: false,
    });
    const [{ code, fileName, imports, dynamicImports }] = output;
    // What is loaded when first used stands in the one file, too.
    const imported = [...imports, ...dynamicImports].filter((name) => name !== fileName);
    return { code, imported, files: output.length };
  } finally {
    await bundle.close();
  }
}

const rows = [
  { id: "1", metric: "m", domain: "d", correct: 0.9, adversarial: 0.2 },
  { id: "2", metric: "m", domain: "d", correct: 0.4, adversarial: 0.6 },
  { id: "3", metric: "m", domain: "e", correct: 0.5, adversarial: null },
];

/** What each entry is asked to compute. */
const expressions = {
  stats: `[entry.wilsonInterval(3, 10), entry.randomFrom(1, "a").between(0, 1)]`,
  analysis: "entry.contrastive(rows)",
  tables: `entry.csvLine(["=1", 2, "a red cube, a blue ball"])`,
};
const values = { rows };

describe.each(Object.entries(expressions))("/%s in a browser", (entry, expression) => {
  it("is one script that imports nothing and computes what it computes here", async () => {
    const { code, imported, files } = await bundled(entry);
    expect({ imported, files }).toEqual({ imported: [], files: 1 });
    expect(code).not.toMatch(/["']node:[a-z]/);
    // A context of its own has the language and its texts, and nothing of Node's.
    const script = `${code};JSON.stringify(${expression})`;
    const there = runInContext(script, createContext({ TextDecoder, TextEncoder, ...values }));
    const compute = new Function("entry", ...Object.keys(values), `return ${expression}`);
    const here = compute(await import(addressOf(entry).href), ...Object.values(values));
    expect(JSON.parse(there)).toEqual(JSON.parse(JSON.stringify(here)));
    expect(there.length).toBeGreaterThan(20);
  });
});

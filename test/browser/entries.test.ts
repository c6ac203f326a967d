import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { z } from "zod";
import { runCommandLine } from "../../src/cli/command-line/run-command-line.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { gzipTable, snappyTable, zstandardTable } from "../support/parquet-tables.js";
import { concluded, conclusions, parquetRows } from "./conclusions.js";
import { inBrowser } from "./in-browser.js";
import { serve } from "./serve.js";

/** What a user's bundler makes of the conclusions: one module without imports. */
async function bundled(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("conclusions.ts", import.meta.url)),
    platform: "browser",
    logLevel: "silent",
  });
  try {
    const { output } = await bundle.generate({ format: "es", codeSplitting: false });
    expect(output).toHaveLength(1);
    return output[0].code;
  } finally {
    await bundle.close();
  }
}

const sample = z.object({ rows: z.array(z.unknown()) });

/** The rows that `touchstone example NAME` shows. */
async function sampleRows(name: string): Promise<string> {
  const environment = fakeEnvironment();
  expect(await runCommandLine(["example", name, "--json"], environment)).toBe(0);
  return JSON.stringify(sample.parse(JSON.parse(environment.written.stdout)).rows);
}

inBrowser("the library in a browser", (open) => {
  it("reads Parquet as in Node, however it is packed", async () => {
    const script = await bundled();
    const page = await open(await serve({ "/": "<!doctype html>", "/conclusions.js": script }));
    for (const table of [snappyTable, gzipTable, zstandardTable]) {
      const bytes = JSON.stringify([...table]);
      const there = await page.evaluate(
        `import("/conclusions.js").then((it) => it.parquetRows(${bytes}))`,
      );
      expect(there).toBe(await parquetRows([...table]));
      expect(there).toContain('"correct":0.5');
    }
  });

  it("concludes the same numbers as in Node, to the last digit", async () => {
    const names = Object.keys(conclusions);
    expect(names.length).toBeGreaterThan(10);
    const script = await bundled();
    const page = await open(await serve({ "/": "<!doctype html>", "/conclusions.js": script }));
    for (const name of names) {
      const rows = await sampleRows(name);
      const given = [name, rows].map((text) => JSON.stringify(text)).join();
      const there = z
        .string()
        .parse(
          await page.evaluate(`import("/conclusions.js").then((it) => it.concluded(${given}))`),
        );
      const here = concluded(name, rows);
      expect(here.length, name).toBeGreaterThan(200);
      expect(there, name).toBe(here);
    }
  });
});

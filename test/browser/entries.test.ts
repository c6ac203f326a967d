import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { z } from "zod";
import { gzipTable, snappyTable, zstandardTable } from "../support/parquet-tables.js";
import { sampleCommands } from "../support/sample-commands.js";
import { concluded, parquetRows } from "./conclusions.js";
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
    const script = await bundled();
    const page = await open(await serve({ "/": "<!doctype html>", "/conclusions.js": script }));
    for (const { name, flags, quick, sample } of await sampleCommands()) {
      const asked = [name, [...flags, ...quick], sample] as const;
      const given = asked.map((one) => JSON.stringify(one)).join();
      const there = z
        .string()
        .parse(
          await page.evaluate(`import("/conclusions.js").then((it) => it.concluded(${given}))`),
        );
      const here = await concluded(...asked);
      expect(JSON.parse(here), name).toHaveProperty("verdict");
      expect(there, name).toBe(here);
    }
  });
});

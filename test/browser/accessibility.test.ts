import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/main.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { barriers } from "./accessibility.js";
import { inBrowser } from "./in-browser.js";
import { serve } from "./serve.js";

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Cats</title>
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:"></head>
  <body><main><h1>Cats</h1>${body}</main></body></html>`;

/** The page that `analyze contrastive --out` writes of its sample. */
async function contrastivePage(): Promise<string> {
  const workingDirectory = await temporaryDirectory();
  const environment = fakeEnvironment({
    workingDirectory,
    stdin: await readFile(new URL("../../data/examples/contrastive.csv", import.meta.url), "utf8"),
  });
  const words = ["analyze", "contrastive", "-", "--resamples", "100", "--out", "page.html"];
  expect(await runCommandLine(words, environment)).toBe(0);
  return readFile(join(workingDirectory, "page.html"), "utf8");
}

inBrowser("accessibility", (open) => {
  it("finds an image without words, on a page that forbids scripts", async () => {
    const image = '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" ALT>';
    const address = await serve({
      "/good": page(image.replace("ALT", 'alt="a cat"')),
      "/bad": page(image.replace("ALT", "")),
    });
    expect(await barriers(await open(`${address}/good`))).toEqual([]);
    expect(await barriers(await open(`${address}/bad`))).toEqual([
      expect.stringMatching(/^critical: image-alt: /),
    ]);
  });

  it.each(["light", "dark"] as const)(
    "no barrier on a page of analyze in %s",
    async (colorScheme) => {
      const address = await serve({ "/": await contrastivePage() });
      expect(await barriers(await open(address, { colorScheme }))).toEqual([]);
      expect(await barriers(await open(address, { colorScheme, width: 390 }))).toEqual([]);
    },
  );
});

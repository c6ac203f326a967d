import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/main.js";
import { makeAuditRun } from "../report/audit-run.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { generatedRun } from "../support/generated-run.js";
import { servedStudio } from "../support/served-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { barriers } from "./accessibility.js";
import { inBrowser } from "./in-browser.js";

/** A page that `studio export` wrote, as an address of the file system. */
async function exportedBy(words: readonly string[], workingDirectory: string): Promise<string> {
  const environment = fakeEnvironment({ workingDirectory });
  const code = await runCommandLine(["studio", "export", ...words, "--out", "pages"], environment);
  expect(code, environment.written.stderr).toBe(0);
  return pathToFileURL(join(workingDirectory, "pages", "index.html")).href;
}

const sample = new URL("../../data/examples/contrastive.csv", import.meta.url);

const analyses = async (page: Page) => {
  const buffer = await readFile(sample);
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "scores.csv", mimeType: "text/csv", buffer });
  await page.locator("picture img").waitFor();
  await page.getByText("touchstone analyze contrastive scores.csv").waitFor();
};

const imageIsShown = "[...document.images].some((it) => it.complete && it.naturalWidth > 0)";

inBrowser("pages that were exported, opened from the file system", (open) => {
  test("show a run as the server does: gallery, filters, items, pairs", async () => {
    const root = await temporaryDirectory();
    const run = await generatedRun(join(root, "generated"), { images: 200, side: 64 });
    await writeFile(join(root, "generated", "report.html"), "<h1>What it comes to</h1>");
    const address = await exportedBy(["generated"], root);
    const page = await open(address);
    await page.getByRole("main").getByRole("link", { name: "generated" }).click();
    await page.getByRole("heading", { name: "Metrics" }).waitFor();
    await page.getByRole("link", { name: "Report" }).click();
    await page.getByRole("heading", { name: "What it comes to" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Metrics" }).waitFor();
    await page.keyboard.press("g");
    await page.getByText("200 images").waitFor();
    await expect.poll(() => page.evaluate(imageIsShown)).toBe(true);
    await page.getByLabel("Role").selectOption("correct");
    await page.getByText("50 images of 200").waitFor();
    const shown =
      "[...document.querySelectorAll('[data-at]')].map((it) => it.textContent).slice(0, 10)";
    const found = await page.evaluate(shown);
    expect(found).toHaveLength(10);
    expect(JSON.stringify(found)).toContain("number 0 ");

    const served = await open(
      `${await servedStudio({ root })}/runs/generated/gallery?role=correct`,
    );
    await served.getByText("50 images of 200").waitFor();
    expect(await served.evaluate(shown)).toEqual(found);

    const [first] = run.images;
    await page.goto(`${address}#/runs/.run/items/${first?.key}?at=0`);
    await page.getByText("1 of 200 images").waitFor();
    await expect.poll(() => page.evaluate(imageIsShown)).toBe(true);
    await page.keyboard.press("p");
    await page.getByRole("button", { name: /swipe/i }).waitFor();
    expect(await barriers(page, { preload: false })).toEqual([]);
    const cards = async (shown: Page) => {
      await shown.getByRole("table").first().waitFor();
      return shown.locator("main table").allInnerTexts();
    };
    await page.goto(`${address}#/cards`);
    await served.goto(new URL("/cards", served.url()).href);
    const exportedCards = await cards(page);
    expect(exportedCards.join()).toContain("clip-score");
    expect(exportedCards).toEqual(await cards(served));
    await page.goto(`${address}#/analyse`);
    await analyses(page);
  });

  test("show an audit as the server does", async () => {
    const root = await temporaryDirectory();
    await makeAuditRun(join(root, "audit"), { count: 1, images: 2, trials: 1 });
    const address = await exportedBy(["audit"], root);
    const page = await open(`${address}#/runs/.run/audit`);
    const served = await open(`${await servedStudio({ root })}/runs/audit/audit`);
    const tables = async (shown: Page) => {
      await shown.getByRole("heading", { name: "What refining costs" }).waitFor();
      return shown.locator("main table").allInnerTexts();
    };
    expect(await tables(page)).toEqual(await tables(served));
    await page.keyboard.press("s");
    await page.getByText(/^1 of \d+ sets/).waitFor();
    await expect.poll(() => page.evaluate(imageIsShown)).toBe(true);
  });

  test.each(["light", "dark"] as const)(
    "analyse a table with nothing else, %s",
    async (colorScheme) => {
      const address = await exportedBy(["--analyse-only"], await temporaryDirectory());
      const page = await open(address, { width: 390, colorScheme });
      await analyses(page);
      expect(await barriers(page, { preload: false })).toEqual([]);
    },
  );
});

import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wordsOf } from "../../src/cli/command-line/shell-words.js";
import { conclusions } from "../../src/conclusions/conclusions.js";
import { commandLines } from "../support/command-lines.js";
import { snappyTable } from "../support/parquet-tables.js";
import { studioServer } from "../support/served-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { barriers } from "./accessibility.js";
import { inBrowser, type OpenPage, type View } from "./in-browser.js";

const { put, read, run } = commandLines();

const samples = conclusions.map(({ name }) => name);

const sampleOf = (name: string) =>
  readFile(new URL(`../../data/examples/${name}.csv`, import.meta.url), "utf8");

async function opened(open: OpenPage, view?: View) {
  const { address, end } = await studioServer({ root: await temporaryDirectory() });
  const page = await open(`${address}/analyse`, view);
  await page.getByRole("heading", { name: "Analyse a table" }).waitFor();
  return { page, end };
}

/** The page once it has analysed a sample, for which it loads all it needs; then nobody serves it any more. */
async function alone(open: OpenPage): Promise<Page> {
  const { page, end } = await opened(open);
  await page.getByRole("button", { name: "swap" }).click();
  await page.locator("picture img").waitFor();
  end();
  return page;
}

const give = (page: Page, name: string, content: string | Uint8Array) =>
  page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

const verdict = (page: Page) => page.locator("[aria-label='What it comes to'] .lead");

async function downloaded(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name, exact: true }).click();
  return readFile(await (await download).path(), "utf8");
}

inBrowser("the page that analyses tables", (open) => {
  test("says of each sample what the command line says, to the last digit, with the server gone", async () => {
    const page = await alone(open);
    for (const name of samples) {
      const sample = await sampleOf(name);
      await put(`${name}.csv`, sample);
      await give(page, `${name}.csv`, sample);
      const command = page.locator("pre", { hasText: `${name}.csv` });
      await command.waitFor({ timeout: 60_000 });
      const [program, ...words] = wordsOf((await command.textContent()) ?? "");
      expect(program).toBe("touchstone");
      const { code, stdout, stderr } = await run([...words, "--json"]);
      expect(code, stderr).toBe(0);
      const found = await downloaded(page, "JSON");
      // A card of the command line is a file, too, which names what it was made of.
      const { format, version, software, inputs, evidence, ...said } = JSON.parse(stdout);
      expect(JSON.stringify(JSON.parse(found)), name).toBe(JSON.stringify(said));
      expect(await verdict(page).textContent(), name).toBe(JSON.parse(stdout).verdict);
    }
  });

  test("gives the files that --out and --plot write", async () => {
    const page = await alone(open);
    const sample = await sampleOf("swap");
    await put("swap.csv", sample);
    await give(page, "swap.csv", sample);
    await verdict(page).waitFor();
    await run(["analyze", "swap", "swap.csv", "--out", "out.csv"]);
    expect(await downloaded(page, "CSV")).toBe(await read("out.csv"));
    const svg = await downloaded(page, "SVG");
    expect(svg).toContain("both score the same");
    await page.locator("picture img").waitFor();
    const width = await page.evaluate("document.querySelector('picture img').naturalWidth");
    expect(width).toBeGreaterThan(300);
  });

  test("reads a table once its columns are said, and says what is wrong with one", async () => {
    const { page } = await opened(open);
    await give(page, "mine.csv", "name,kind,gut,schlecht,feld\n1,m,2,1,x\n2,m,1,2,x\n3,m,5,1,y\n");
    await page.getByText("The columns say nothing of what it is").waitFor();
    await page.getByLabel("What it is").selectOption("contrastive");
    for (const [name, column] of Object.entries({
      id: "name",
      metric: "kind",
      domain: "feld",
      correct: "gut",
      adversarial: "schlecht",
    })) {
      await page.getByLabel(name, { exact: true }).selectOption(column);
    }
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.getByText("--map correct=gut").waitFor();
    await page.getByLabel("adversarial", { exact: true }).selectOption("kind");
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.getByRole("alert").getByText("Expected a sound table").waitFor();
    await give(page, "empty.csv", "");
    await page.getByRole("alert").getByText("Expected").waitFor();
    await give(page, "scores.parquet", Buffer.from(snappyTable));
    await page.getByRole("heading", { name: "scores.parquet" }).waitFor();
  });

  test.each([
    [390, "light"],
    [390, "dark"],
    [1280, "light"],
    [1280, "dark"],
  ] as const)(
    "has no barrier and scrolls no way sideways, %i px, %s",
    async (width, colorScheme) => {
      const { page } = await opened(open, { width, colorScheme });
      const sideways =
        "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await barriers(page)).toEqual([]);
      for (const name of ["contrastive", "agreement"]) {
        await give(page, `${name}.csv`, await sampleOf(name));
        await page.locator("picture img").waitFor();
        await page.getByText("All options").click();
        expect(await barriers(page), name).toEqual([]);
        expect(await page.evaluate(sideways), name).toBe(0);
      }
    },
  );

  test("is walked by keyboard alone", async () => {
    const { page } = await opened(open);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("open a file").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("summary").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("item,annotator,value\n1,a,2\n1,b,2\n2,a,1\n2,b,3\n3,a,1\n3,b,1\n");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await verdict(page).waitFor();
    await page.getByLabel("--scale").focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Tab");
    await page.locator("h1").click();
    await page.keyboard.press("a");
    await page.getByText(/agreement pasted\.csv --scale/).waitFor();
  });
});

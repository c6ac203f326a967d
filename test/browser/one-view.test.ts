import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { generatedRun } from "../support/generated-run.js";
import { plannedStudy } from "../support/known-study.js";
import { servedStudio } from "../support/served-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { touchstoneHere } from "../support/touchstone-here.js";
import { inBrowser } from "./in-browser.js";

const plain = (text: string) => text.replace(/\s+/g, " ").trim();

/**
 * Titles, headings and cells of the tables of Views, folded ones too.
 *
 * @param of what leads to them in the page, with the combinator behind it
 */
const tablesOf = async (page: Page, of: string): Promise<readonly string[]> => {
  const texts = await page
    .locator(["h3", "h3 + * th", "h3 + * td"].map((one) => of + one).join(", "))
    .evaluateAll((all) => all.map((one) => (one as { textContent: string }).textContent));
  return [...new Set(texts.map(plain).filter((text) => text !== ""))];
};

/** What the terminal prints, so wide that no table drops a column. */
async function printed(words: readonly string[], root: string): Promise<string> {
  const { code, stdout, stderr } = await touchstoneHere(words, {
    workingDirectory: root,
    columns: 400,
  });
  expect(code, stderr).toBe(0);
  return plain(stdout);
}

/** Each text of the page stands in the other, to the last digit. */
function expectSaid(texts: readonly string[], in_: string): void {
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => !in_.includes(text))).toEqual([]);
}

const fromMarkdown = (markdown: string) => plain(markdown.replace(/\\(?=[^\w\s])/g, ""));

const fromHtml = (html: string) =>
  plain(
    html
      .replace(/<(style|script)[\s\S]*?<\/\1>/g, " ")
      .replace(/<[^>]+>/g, " ")
      .replace(/&#39;/g, "'")
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&"),
  );

inBrowser("page and terminal say one thing", (open) => {
  test("of trust cards, and of a run's report", async () => {
    const root = await temporaryDirectory();
    await generatedRun(join(root, "run"), { images: 80, side: 16, metrics: 2 });
    // The terminal prints a card shortened; its file is whole.
    await printed(["card", "run", "--out", "cards.md"], root);
    const cards = fromMarkdown(await readFile(join(root, "cards.md"), "utf8"));
    await printed(["report", "run"], root);
    const address = await servedStudio({ root, shown: "." });
    const page = await open(`${address}/cards?from=run:run`);
    await page.locator("details summary").first().waitFor({ timeout: 60_000 });
    expectSaid(await tablesOf(page, "details "), cards);
    for (const verdict of await page.locator("details > p").allTextContents()) {
      expect(cards).toContain(plain(verdict));
    }
    await page.goto(`${address}/runs/run`);
    const lead = page.locator(".lead").first();
    await lead.waitFor();
    const report = fromHtml(await readFile(join(root, "run", "report.html"), "utf8"));
    expect(report).toContain(plain((await lead.textContent()) ?? ""));
    await page.locator("main h3").first().waitFor();
    expectSaid(await tablesOf(page, "main "), report);
  });

  test("of models that are compared", async () => {
    const root = await temporaryDirectory();
    const size = { images: 80, models: 2, side: 16, metrics: 1 };
    const { images, scores } = await generatedRun(join(root, "run"), size);
    const byKey = new Map(images.map((image) => [image.key, image]));
    const rows = scores.map(({ of, ...score }) => {
      const { model, text } = byKey.get(of) ?? {};
      return JSON.stringify({
        model,
        prompt: text,
        metric: score.metric,
        score: score.status === "done" ? score.value : null,
      });
    });
    await writeFile(join(root, "scores.jsonl"), `${rows.join("\n")}\n`);
    const compared = await printed(["compare", "scores.jsonl", "--details"], root);
    const address = await servedStudio({ root, shown: "." });
    const page = await open(`${address}/compare?run=run`);
    const section = page.locator('section[aria-label="clip-score"]');
    await section.waitFor({ timeout: 60_000 });
    expect(compared).toContain(plain((await section.locator("p").first().textContent()) ?? ""));
    const texts = await tablesOf(page, 'section[aria-label="clip-score"] details ');
    // The terminal writes a group above its rows, without the heading of its column.
    const cells = texts.filter((text) => text !== "metric");
    expectSaid(cells, compared);
  });

  test("of whom to believe in a study", async () => {
    const root = await temporaryDirectory();
    await mkdir(join(root, "s"));
    const { directory } = await plannedStudy(join(root, "s"));
    const study = directory.slice(root.length + 1);
    await printed(["study", "export", study, "--table", "agreement", "--out", "a.jsonl"], root);
    const raters = await printed(["analyze", "raters", "a.jsonl", "--details"], root);
    const address = await servedStudio({ root, shown: "." });
    const page = await open(`${address}/studies/${`${study}/study.json`.replaceAll("/", "~")}`);
    const section = '[aria-label="Plan and raters"]';
    await page.locator(section).waitFor({ timeout: 60_000 });
    expectSaid(await tablesOf(page, `${section} h2:last-of-type ~ `), raters);
    const verdict = await page.locator(`${section} h2:last-of-type + p`).textContent();
    expect(raters).toContain(plain(verdict ?? ""));
  });
});

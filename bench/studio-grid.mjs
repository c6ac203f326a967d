// The studio's grid over prompts painted by five models each, with four metrics and people's choices: first view,
// every choice of filter and order, frames while scrolling.
//   node bench/studio-grid.mjs [PROMPTS]

import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { findBrowser, startBrowser } from "../scripts/start-browser.mjs";
import { bareFrames, lookAt, studioOf } from "./viewer-look.mjs";

const [prompts = 10_000] = process.argv.slice(2).map(Number);
const models = 5;
const turns = 3;

const browser = findBrowser() && (await startBrowser());
if (browser === undefined) {
  console.log("studio-grid skipped: there is no browser; npm run fetch-browser fetches one");
  process.exit(0);
}

const field = (page, label) =>
  page.locator("search label", { hasText: new RegExp(`^${label}`) }).locator("select, input");
const choose = (label, option) => (page) => field(page, label).selectOption(option);
const press = (name) => (page) => page.getByRole("button", { name, exact: true }).click();
const type = (label, text, key) => async (page) => {
  await field(page, label).focus();
  await page.keyboard.insertText(text);
  if (key !== undefined) await page.keyboard.press(key);
};
const undo = async (page) => {
  await press("Take all away")(page);
  await page.evaluate("settled()");
};
// Each act shows other rows than the one before, or another number of them.
const acts = {
  "order: last to first": choose("Order", "down"),
  "sort by a score": choose("Sort by", "score"),
  "another metric": choose("Metric", { index: 3 }),
  "sort by disagreement between metrics": choose("Sort by", "disagreement"),
  "sort by disagreement with people": choose("Sort by", "people"),
  domain: choose("Domain", { index: 2 }),
  "only disagreement with people": press("Only disagreement with people"),
  "only unscored": press("Only unscored"),
  "all taken away": press("Take all away"),
  "words of the text": type("Text", "number 77"),
  "all taken away again": press("Take all away"),
  "scores of two metrics": type("Scores", "vqa-score < 0.2 and clip-score > 0.8", "Enter"),
  model: choose("Model", { index: 4 }),
  unscored: choose("Unscored", { index: 1 }),
};

const folder = mkdtempSync(join(tmpdir(), "studio-grid-"));
try {
  const runs = join(folder, "runs");
  const generated = fileURLToPath(new URL("../test/support/generated-run.ts", import.meta.url));
  const { module } = await runnerImport(generated);
  const size = { images: models * prompts, models, side: 256, metrics: 4, people: true };
  await module.generatedRun(join(runs, "big"), size);
  const found = [];
  for (let turn = 0; turn < turns; turn++) {
    // What was made when it was looked at before is made again.
    rmSync(join(runs, ".studio"), { recursive: true, force: true });
    const looked = await lookAt(browser, {
      ...studioOf(runs, "runs/big/grid"),
      // A choice that leaves the first rows where they are changes how many there are.
      rows: '[role="listitem"], main [role="status"]',
      // Every image in the window is drawn.
      isShown: `(() => {
        const cells = [...document.querySelectorAll(".cell")].filter(
          (cell) => cell.getBoundingClientRect().top < innerHeight);
        return cells.length >= ${models} && cells.every((cell) =>
          cell.querySelector(".none") ?? cell.querySelector("img")?.naturalWidth > 0);
      })()`,
      acts,
      undo,
    });
    const { late, median } = await bareFrames(browser);
    found.push({ ...looked, bareLate: late, bareMedian: median });
    console.error(`turn ${turn + 1} of ${turns}`);
  }
  const shown = (member, unit = 1) => {
    const values = found.map((one) => one[member] / unit).sort((a, b) => a - b);
    const text = (value) => value.toLocaleString("en", { maximumSignificantDigits: 3 });
    return `${text(values[turns >> 1])} [${text(values[0])}, ${text(values.at(-1))}]`;
  };
  const load = loadavg()[0].toFixed(1);
  console.log(
    [
      `${prompts} prompts, ${models} models; ${availableParallelism()} processors, load ${load}, Chromium ${browser.version()}; median of ${turns} turns [least, most].`,
      `first view: ${shown("cold")} ms, of which ${shown("listening")} until the server listens`,
      ...Object.keys(acts).map((name) => `${name}: ${shown(name)} ms`),
      `a frame while scrolling: ${shown("median")} ms, 95th percentile ${shown("p95")} ms, ${shown("late", 0.01)} % later than 25 ms`,
      `the same of a page of plain text: ${shown("bareMedian")} ms, ${shown("bareLate", 0.01)} % later than 25 ms`,
      `processor time of the main thread in a frame: ${shown("work")} ms`,
      `heap of the page: ${shown("heap", 1e6)} MB; server at its highest: ${shown("server", 1e6)} MB`,
    ].join("\n"),
  );
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

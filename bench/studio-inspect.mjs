// The studio's gallery beside inspect_ai's log viewer, in one Chromium, turn by turn: 10,000 images with
// 50,000 scores, and a log of 10,000 samples with as many scores that inspect_ai's own API wrote. The studio
// draws thumbnails, which it makes in the first view; the viewer draws lines of text.
// It is skipped, and says why, where inspect_ai or a browser is missing. --write writes the table in README.md:
//   node bench/studio-inspect.mjs [--write] [IMAGES]

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { findBrowser, startBrowser } from "../scripts/start-browser.mjs";
import { installPeer } from "./install-peer.mjs";
import { lookAt, studioOf } from "./viewer-look.mjs";
import { words, writeBetweenMarks } from "./written-table.mjs";

const [images = 10_000] = words.map(Number);
const turns = 3;
const port = 7575;
const version = "0.3.285";
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const skip = (why) => {
  console.log(`studio-inspect skipped: ${why}`);
  process.exit(0);
};

const browser = findBrowser() && (await startBrowser());
if (browser === undefined)
  skip("there is no browser; CHROMIUM_PATH names one, npm run fetch-browser fetches one");
const { folder: peer, skipped } = installPeer("inspect", [
  ["python3", "-m", "venv", "python"],
  ["python/bin/python", "-m", "pip", "install", "--quiet", `inspect-ai==${version}`],
]);
if (skipped !== undefined) skip(skipped);

const folder = mkdtempSync(join(tmpdir(), "studio-inspect-"));
try {
  const runs = join(folder, "runs");
  const { module } = await runnerImport(here("../test/support/generated-run.ts"));
  await module.generatedRun(join(runs, "big"), { images, side: 512 });
  const logs = join(folder, "logs");
  mkdirSync(logs);
  const log = "2026-01-01T00-00-00-00-00_gallery_bench.eval";
  const made = spawnSync(
    `${peer}python/bin/python`,
    [here("./inspect_log.py"), String(images), join(logs, log)],
    { encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`inspect_log.py: ${made.stderr.slice(-800)}`);

  const viewers = {
    studio: {
      ...studioOf(runs, "runs/big/gallery"),
      rows: '[role="listitem"]',
      // Every image in the window is drawn.
      isShown: `(() => {
        const tiles = [...document.querySelectorAll('[role="listitem"]')].filter(
          (tile) => tile.getBoundingClientRect().top < innerHeight);
        return tiles.length >= 12 && tiles.every((tile) =>
          tile.querySelector(".none") ?? tile.querySelector("img")?.naturalWidth > 0);
      })()`,
      acts: {
        sort: (page) => page.getByLabel("Sort by").selectOption("score"),
        async filter(page) {
          await page.getByLabel("Text").focus();
          await page.keyboard.insertText("number 77");
        },
      },
      undo: (page) => page.getByLabel("Text").fill(""),
    },
    inspect_ai: {
      start: [
        `${peer}python/bin/inspect`,
        ...["view", "start", "--log-dir", logs, "--port", String(port)],
      ],
      async address() {
        const root = `http://127.0.0.1:${port}/`;
        const answers = () => fetch(root).then(Boolean, () => false);
        while (!(await answers())) await setTimeout(20);
        return `${root}#/logs/${log}/samples/`;
      },
      rows: '[role="grid"] [role="row"]',
      isShown: `document.querySelectorAll('[role="grid"] [role="row"]').length > 12`,
      acts: {
        sort: (page) =>
          page
            .locator('[role="columnheader"]')
            .filter({ hasText: /rating/i })
            .getByRole("button")
            .first()
            .click(),
        async filter(page) {
          await page.locator(".cm-content").focus();
          await page.keyboard.insertText('input_contains("number 77")');
        },
      },
      async undo(page) {
        await page.locator(".cm-content").focus();
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("Delete");
      },
    },
  };

  const found = { studio: [], inspect_ai: [] };
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, viewer] of Object.entries(viewers)) {
      // What was made when it was looked at before is made again.
      rmSync(join(runs, ".studio"), { recursive: true, force: true });
      found[name].push(await lookAt(browser, viewer));
      console.error(`turn ${turn + 1} of ${turns}: ${name}`);
    }
  }
  const chrome = browser.version();

  const measures = [
    ["from the start of the server to the first view", "cold", "ms"],
    ["sort by a score, to other rows in the window", "sort", "ms"],
    ["filter by words of the text, to other rows", "filter", "ms"],
    ["a frame while scrolling 60 pixels each, median", "median", "ms"],
    ["the same, 95th percentile", "p95", "ms"],
    ["sent to the browser until the first view", "received", "MB"],
    ["heap of the page at the end", "heap", "MB"],
    ["server's memory at its highest", "server", "MB"],
  ];
  const shown = (runsOf, member, unit) => {
    const values = runsOf
      .map((one) => one[member] / (unit === "MB" ? 1e6 : 1))
      .sort((a, b) => a - b);
    const text = (value) => value.toLocaleString("en", { maximumSignificantDigits: 3 });
    return `${text(values[Math.floor(values.length / 2)])} [${text(values[0])}, ${text(values.at(-1))}]`;
  };
  const text = [
    `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} processors (${cpus()[0].model.trim()}), load ${loadavg()[0].toFixed(1)}, Node ${process.version.slice(1)}, Chromium ${chrome}, inspect_ai ${version}. ${images.toLocaleString("en")} images or samples, ${(5 * images).toLocaleString("en")} scores; the log has ${(statSync(join(logs, log)).size / 1e6).toFixed(1)} MB. Median of ${turns} turns, in brackets the least and the most.`,
    "",
    "| what | unit | studio | inspect_ai |",
    "| --- | --- | ---: | ---: |",
    ...measures.map(
      ([what, member, unit]) =>
        `| ${what} | ${unit} | ${shown(found.studio, member, unit)} | ${shown(found.inspect_ai, member, unit)} |`,
    ),
  ].join("\n");
  console.log(text);
  if (process.argv.includes("--write")) writeBetweenMarks("studio-inspect", text);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

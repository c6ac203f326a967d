// The studio's grid of prompts by models in Chromium, as a person uses it: how long until it shows images, how long each
// filter and each order takes from the event that asks for it to other rows on the screen, and how it scrolls.
// 10,000 prompts by 5 models with 2 metrics where no other number is given. It is skipped, and says why, without a
// browser (npm run fetch-browser). --write writes the table in README.md:
//   node bench/studio-speed.mjs [--write] [PROMPTS]

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { runnerImport } from "vite";
import { lookAt } from "./viewer-look.mjs";
import { words, writeBetweenMarks } from "./written-table.mjs";

const [prompts = 10_000] = words.map(Number);
const painters = 5;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { module: browsers } = await runnerImport(here("../test/browser/find-browser.ts"));
const found = await browsers.findBrowser();
if (found === undefined) {
  console.log("studio-speed skipped: no browser; npm run fetch-browser fetches one");
  process.exit(0);
}

/** What a person does to the grid, in order; each changes which rows stand first. */
const acts = [
  ["filter: text", (page) => page.getByLabel("Text").fill("number 77")],
  ["filter taken away", (page) => page.getByLabel("Text").fill("")],
  ["only unscored", (page) => page.getByRole("button", { name: "Only unscored" }).click()],
  ["all again", (page) => page.getByRole("button", { name: "Only unscored" }).click()],
  ["only differences", (page) => page.getByRole("button", { name: "Only differences" }).click()],
  ["order: score", (page) => page.getByLabel("Sort by").selectOption("score")],
  ["order: highest first", (page) => page.locator("select:has([value=down])").selectOption("down")],
  ["order: disagreement", (page) => page.getByLabel("Sort by").selectOption("disagreement")],
];

const folder = mkdtempSync(join(tmpdir(), "studio-speed-"));
try {
  const { module } = await runnerImport(here("../test/support/generated-run.ts"));
  const images = prompts * painters;
  await module.generatedRun(join(folder, "grid"), { images, painters, metrics: 2 });
  const browser = await chromium.launch({
    executablePath: found.executable,
    args: ["--no-sandbox", "--disable-gpu"],
    env: { ...process.env, ...found.variables },
  });
  const look = await lookAt(browser, {
    start: [
      ...[process.execPath, here("../bin/touchstone"), "studio", folder],
      ...["--port", "0", "--no-open", "--json"],
    ],
    async address(child) {
      const printed = await new Promise((resolve) =>
        child.stdout.setEncoding("utf8").once("data", resolve),
      );
      return `${JSON.parse(printed).url}runs/grid/grid`;
    },
    rows: '[role="list"] [role="listitem"]',
    isShown: `(() => {
      const rows = [...document.querySelectorAll('[role="listitem"]')].filter(
        (row) => row.getBoundingClientRect().top < innerHeight);
      return rows.length > 1 && rows.every((row) =>
        row.textContent !== "" && [...row.querySelectorAll("img")].every((image) => image.naturalWidth > 0));
    })()`,
    acts,
    again: (page) => page.reload(),
  });
  await browser.close();
  const milliseconds = (value) => `${Math.round(value)} ms`;
  const rows = [
    [
      "first images, from the start of the server with its index not made",
      milliseconds(look.cold),
      "",
    ],
    ["first images, the page opened again", milliseconds(look.again), "1,500 ms"],
    ...acts.map(([name]) => [name, milliseconds(look[name]), "100 ms"]),
    ["a frame while scrolling: median", `${look.median.toFixed(1)} ms`, "16.7 ms"],
    ["a frame while scrolling: 95th percentile", `${look.p95.toFixed(1)} ms`, ""],
  ];
  for (const [what, value, aim] of rows) console.log(`${what}: ${value}${aim && ` (aim ${aim})`}`);
  writeBetweenMarks(
    "studio-speed",
    [
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} processors (${cpus()[0].model.trim()}), load ${loadavg()[0].toFixed(1)}, ` +
        `Node ${process.version.slice(1)}, Chromium ${look.version}. ${prompts.toLocaleString("en")} prompts by ${painters} models, 2 metrics; one look.`,
      "",
      "| what | measured | aim |",
      "| --- | ---: | ---: |",
      ...rows.map((row) => `| ${row.join(" | ")} |`),
    ].join("\n"),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

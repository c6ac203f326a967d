// Takes the pictures of README and docs from a run: the first screen of its report and of the audit's, and its
// gallery, pairs and comparison in the studio, in light colours. With --look every page of the studio over a
// folder instead, to be looked at: wide and narrow, light and dark, and what scrolls sideways or complains is
// printed.
//
//   node bin/touchstone demo --run runs/demo
//   node scripts/take-pictures.mjs runs/demo
//   node scripts/take-pictures.mjs runs --look pictures
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { startBrowser } from "./start-browser.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { look: { type: "string" } },
});
const [folder] = positionals;
if (folder === undefined) {
  throw new Error("Expected a folder: scripts/take-pictures.mjs RUN, or RUNS --look DIR");
}
const docs = fileURLToPath(new URL("../docs", import.meta.url));

const browser = await startBrowser();
const studio = spawn(
  process.execPath,
  [join(docs, "../bin/touchstone"), "studio", folder, "--port", "0", "--no-open", "--json"],
  { stdio: ["ignore", "pipe", "inherit"] },
);
const [line] = await once(studio.stdout, "data");
const { url } = JSON.parse(String(line));
const asked = async (path) => (await fetch(new URL(path, url))).json();

try {
  if (values.look === undefined) await picturesOfDocs();
  else await picturesOfPages(values.look);
} finally {
  studio.kill();
  await browser.close();
}

async function picturesOfDocs() {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    colorScheme: "light",
  });
  const reports = { "report.png": "report.html", "audit.png": "stereotypes/report.html" };
  for (const [picture, report] of Object.entries(reports)) {
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(resolve(folder), report)).href);
    await keep(picture, await page.locator(".first").screenshot());
  }
  const { runs } = await asked("/api/runs");
  // Its chapters are runs, too.
  const { id } = runs.find(({ name }) => name === basename(resolve(folder))) ?? runs[0];
  const run = `/runs/${encodeURIComponent(id)}`;
  const several = runs.find(({ imageModels = 1 }) => imageModels > 1) ?? { id };
  const views = {
    studio: `${run}/gallery`,
    "studio-pair": `${run}/pairs`,
    "studio-compare": `/compare?${new URLSearchParams({ run: several.id })}`,
  };
  for (const [name, path] of Object.entries(views)) {
    const page = await context.newPage();
    await page.goto(new URL(path, url).href);
    await page.locator("main :is(img, table)").first().waitFor();
    await page.waitForLoadState("networkidle");
    // The gallery goes on for ever, a comparison for long: only a pair is shown whole.
    await keep(`${name}.png`, await page.screenshot({ fullPage: name === "studio-pair" }));
  }
}

/** In 256 colours, since the package carries it. */
async function keep(picture, screenshot) {
  await writeFile(
    join(docs, picture),
    await sharp(screenshot).png({ palette: true, quality: 95, effort: 10 }).toBuffer(),
  );
  console.log(`docs/${picture}`);
}

async function picturesOfPages(into) {
  await mkdir(into, { recursive: true });
  const pages = await pagesOfStudio();
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [390, 1280, 1920]) {
      const context = await browser.newContext({
        viewport: { width, height: width === 390 ? 844 : 800 },
        colorScheme,
      });
      const page = await context.newPage();
      for (const [name, path] of pages) {
        const told = [];
        const tell = (message) => message.type() === "error" && told.push(message.text());
        page.on("console", tell);
        await page.goto(new URL(path, url).href);
        await page.locator("main").waitFor();
        await page.waitForFunction(
          () => [...document.querySelectorAll("p")].every((one) => !/^Reading/.test(one.innerText)),
          undefined,
          { timeout: 120_000 },
        );
        // A live page keeps a line open, so the network may never be idle.
        await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => {});
        const beyond = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        if (beyond > 0) told.push(`scrolls ${beyond} pixels sideways`);
        const picture = `${name}-${width}-${colorScheme}.png`;
        await page.screenshot({
          path: join(into, picture),
          fullPage: !["gallery", "grid"].includes(name),
        });
        page.off("console", tell);
        console.log([picture, ...told].join(": "));
      }
      await context.close();
    }
  }
}

/** A page of every kind that the folder has something for, by name. */
async function pagesOfStudio() {
  const [{ runs }, { files }] = [await asked("/api/runs"), await asked("/api/files")];
  const pages = new Map([
    ["runs", "/"],
    ["analyse", "/analyse"],
    ["cards", "/cards"],
    ["compare", "/compare"],
    ["new", "/new"],
    ["jobs", "/jobs"],
    ["evidence", "/evidence"],
    ["lost", "/no/such/page"],
  ]);
  const add = (name, path) => pages.has(name) || pages.set(name, path);
  for (const { id } of runs.filter(({ state }) => state !== "broken")) {
    const run = `/runs/${encodeURIComponent(id)}`;
    const detail = await asked(`/api${run}`);
    add(detail.isAudit ? "run-audit" : detail.pairs > 0 ? "run" : "run-other", run);
    if (detail.images > 0) {
      const { items } = await asked(`/api${run}/items?limit=1`);
      add("gallery", `${run}/gallery`);
      add("grid", `${run}/grid`);
      add(detail.isAudit ? "item-audit" : "item", `${run}/items/${items[0].key}?at=0`);
    }
    if (detail.pairs > 0) add("pair", `${run}/pairs`);
    if (detail.isAudit) add("audit", `${run}/audit`);
    if (detail.isAudit) add("sets", `${run}/audit/sets`);
  }
  const [one, other] = runs;
  const both = other && new URLSearchParams({ run: one.id, beside: other.id });
  if (both) add("compare-two", `/compare?${both}`);
  const rooms = { review: "reviews", judge: "judges", scores: "scores", study: "studies" };
  for (const { id, kind } of files) {
    if (rooms[kind]) add(kind, `/${rooms[kind]}/${encodeURIComponent(id)}`);
  }
  return pages;
}

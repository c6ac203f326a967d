// Takes the pictures of README and docs from a run: the first screen of its report and of the audit's, and its
// gallery in the studio, in light colours.
//
//   node bin/touchstone demo --run runs/demo
//   node scripts/take-pictures.mjs runs/demo
//
// The browser is that of CHROMIUM_PATH, else Debian's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [run] = process.argv.slice(2);
if (run === undefined)
  throw new Error("Expected the folder of a run: scripts/take-pictures.mjs RUN");
const pages = { "report.png": "report.html", "audit.png": "stereotypes/report.html" };
const docs = fileURLToPath(new URL("../docs", import.meta.url));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const context = await browser.newContext({
  viewport: { width: 1280, height: 800 },
  deviceScaleFactor: 1.5,
  colorScheme: "light",
});
for (const [picture, page] of Object.entries(pages)) {
  const opened = await context.newPage();
  await opened.goto(pathToFileURL(join(resolve(run), page)).href);
  await opened.locator(".first").screenshot({ path: join(docs, picture) });
  console.log(`docs/${picture}`);
}
const studio = spawn(
  process.execPath,
  [join(docs, "../bin/touchstone"), "studio", resolve(run), "--port", "0", "--no-open", "--json"],
  { stdio: ["ignore", "pipe", "inherit"] },
);
const [line] = await once(studio.stdout, "data");
const { url } = JSON.parse(String(line));
const { runs } = await (await fetch(new URL("/api/runs", url))).json();
const gallery = await context.newPage();
// Its chapters are runs, too.
const { id } = runs.find(({ name }) => name === basename(resolve(run))) ?? runs[0];
await gallery.goto(new URL(`/runs/${id}/gallery`, url).href);
await gallery.locator("img").first().waitFor();
await gallery.waitForLoadState("networkidle");
await gallery.screenshot({ path: join(docs, "studio.png") });
console.log("docs/studio.png");
studio.kill();
await browser.close();

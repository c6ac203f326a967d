// Takes the pictures of README from the pages of a run: the first screen of the run's report and of the
// audit's, in light colours, at twice the size of a laptop's pixels.
//
//   node bin/touchstone demo --run runs/demo
//   node scripts/take-pictures.mjs runs/demo
//
// The browser is that of CHROMIUM_PATH, else Debian's.
import { join, resolve } from "node:path";
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
await browser.close();

// Takes the pictures of the guide: what each of the five jobs says, narrow and wide, light and dark, from the commands
// of docs/pictures/verdicts.json, where it also writes the words that they show. A test holds these to what the commands
// say now.
//
//   npm run build && node scripts/take-verdicts.mjs
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import sharp from "sharp";
import { startBrowser } from "./start-browser.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const list = join(root, "docs/pictures/verdicts.json");
const jobs = JSON.parse(readFileSync(list, "utf8"));
const browser = await startBrowser();
const folder = mkdtempSync(join(tmpdir(), "touchstone-verdicts-"));
try {
  for (const [name, job] of Object.entries(jobs)) {
    let input = "";
    for (const words of job.commands.split(" | ")) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(root, "bin/touchstone"), ...words.split(" ")],
        { cwd: folder, encoding: "utf8", input },
      );
      if (status !== 0) throw new Error(stderr);
      input = stdout;
    }
    for (const width of [390, 1280]) {
      for (const colorScheme of ["light", "dark"]) {
        const context = await browser.newContext({
          viewport: { width, height: 1200 },
          colorScheme,
        });
        const page = await context.newPage();
        await page.goto(pathToFileURL(join(folder, "page.html")).href);
        const first = page.locator(".first");
        job.says = (await first.textContent()).replace(/\s+/g, " ").trim();
        await page.evaluate(unfold);
        const { x, y, width: wide, height } = await first.boundingBox();
        const edge = Math.min(x, 16);
        const clip = { x: x - edge, y: Math.max(0, y - edge) };
        const screenshot = await page.screenshot({
          fullPage: true,
          clip: { ...clip, width: wide + 2 * edge, height: y + height + edge - clip.y },
        });
        await sharp(screenshot)
          .webp({ quality: 75, effort: 6, smartSubsample: true })
          .toFile(join(root, `docs/pictures/${name}-${width}-${colorScheme}.webp`));
        await context.close();
      }
    }
    console.log(name);
  }
  writeFileSync(list, `${JSON.stringify(jobs, null, 2)}\n`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** In the page: shows a figure whole where a screen holds it, else the groups of rows that a screen holds. */
function unfold() {
  const screen = window.innerWidth < 600 ? 800 : 770;
  for (const plot of document.querySelectorAll(".look .plot")) {
    plot.style.maxHeight = "none";
    if (plot.scrollHeight <= screen) continue;
    const { top } = plot.getBoundingClientRect();
    const heads = [...plot.querySelectorAll('text[font-weight="600"]')]
      .map((head) => head.getBoundingClientRect().top - top - 8)
      .filter((at) => at > 0 && at <= screen);
    plot.style.maxHeight = `${heads.at(-1)}px`;
    plot.style.overflow = "hidden";
  }
}

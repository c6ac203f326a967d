// Takes the pictures of the guide: what each of the five jobs says, narrow and wide, light and dark, from the commands
// of docs/pictures/verdicts.json, where it also writes the words that they show. A test holds these to what the commands
// say now.
//
//   npm run build && node scripts/take-verdicts.mjs
//
// The browser is that of CHROMIUM_PATH, else Debian's, else the one that `npm run fetch-browser` left.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import sharp from "sharp";

const root = fileURLToPath(new URL("..", import.meta.url));
const list = join(root, "docs/pictures/verdicts.json");
const jobs = JSON.parse(readFileSync(list, "utf8"));
const fetched = join(root, "node_modules/.cache/touchstone-browser/browser.json");
const named = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const { executable, variables } = existsSync(named)
  ? { executable: named, variables: {} }
  : JSON.parse(readFileSync(fetched, "utf8"));
const browser = await chromium.launch({
  executablePath: executable,
  env: { ...process.env, ...variables },
  args: ["--no-sandbox", "--disable-gpu"],
});
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
          // High enough that a page folds no figure.
          viewport: { width, height: 1200 },
          colorScheme,
        });
        const page = await context.newPage();
        await page.goto(pathToFileURL(join(folder, "page.html")).href);
        const first = page.locator(".first");
        job.says = (await first.textContent()).replace(/\s+/g, " ").trim();
        const picture = join(root, `docs/pictures/${name}-${width}-${colorScheme}.webp`);
        const { x, y, width: wide, height } = await first.boundingBox();
        const clip = {
          x: 0,
          y: y - x,
          width: wide + 2 * x,
          height: Math.min(height + 2 * x, 1100),
        };
        await sharp(
          await page.screenshot({ fullPage: true, clip: { ...clip, y: Math.max(0, clip.y) } }),
        )
          .webp({ quality: 75, effort: 6, smartSubsample: true })
          .toFile(picture);
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

// Starts the Chromium of the tests and pictures: that of CHROMIUM_PATH, else Debian's, else the one that
// `npm run fetch-browser` left.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const debian = "/usr/bin/chromium";
const fetched = fileURLToPath(
  new URL("../node_modules/.cache/touchstone-browser/browser.json", import.meta.url),
);

/** Returns where the browser lies and what its process needs of the environment, or undefined where there is none. */
export function findBrowser(named = process.env.CHROMIUM_PATH) {
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return { executable: named, variables: {} };
    throw new Error(`Expected a browser at CHROMIUM_PATH but there is none: ${named}`);
  }
  if (existsSync(debian)) return { executable: debian, variables: {} };
  return existsSync(fetched) ? JSON.parse(readFileSync(fetched, "utf8")) : undefined;
}

/** Starts it. Containers let no unprivileged process make a sandbox; the pages are our own. */
export function startBrowser() {
  const found = findBrowser();
  if (found === undefined) {
    throw new Error("Expected a browser but there is none: npm run fetch-browser fetches one");
  }
  return chromium.launch({
    executablePath: found.executable,
    args: ["--no-sandbox", "--disable-gpu"],
    env: { ...process.env, ...found.variables },
  });
}

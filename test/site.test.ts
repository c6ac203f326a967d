import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { heaviestPage, siteFaults } from "../scripts/site/check-site.mjs";
import { temporaryDirectory } from "./support/temporary-directory.js";

/** A site of these files below an address. */
async function siteOf(files: Readonly<Record<string, string>>) {
  const folder = await temporaryDirectory();
  mkdirSync(join(folder, "assets"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return siteFaults(folder, "/touchstone/");
}

test("a site whose links lead somewhere has no fault", async () => {
  const faults = await siteOf({
    "index.html":
      '<link href="/touchstone/assets/a.css"><script type="module" src="/touchstone/assets/a.js"></script>' +
      '<a href="/touchstone/start.html#first">one</a> <a href="./start">two</a> <a href="https://example.org">far</a>',
    "start.html":
      '<h2 id="first">First</h2> <a href="#first">here</a> <a href="/touchstone/">home</a>',
    "assets/a.css": "a{}",
    "assets/a.js": "0",
  });
  expect(faults).toEqual([]);
});

test("dead links, lost places, scripts that block and a heavy home are named", async () => {
  // Random enough that gzip can't make it small.
  let state = 1;
  const bytes = Array.from({ length: heaviestPage * 2 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  }).join("");
  const faults = await siteOf({
    "index.html":
      '<script src="/touchstone/assets/a.js"></script> <a href="/touchstone/gone.html">one</a>' +
      '<a href="/elsewhere/">two</a> <a href="start.html#last">three</a>',
    "start.html": '<h2 id="first">First</h2>',
    "assets/a.js": bytes,
  });
  expect(faults).toEqual([
    "index.html: /touchstone/gone.html leads nowhere",
    "index.html: /elsewhere/ leads nowhere",
    "index.html: start.html has no place #last",
    'index.html: <script src="/touchstone/assets/a.js"> blocks',
    expect.stringMatching(/^index\.html: takes \d+ bytes before its pictures; at most 200000$/),
  ]);
});

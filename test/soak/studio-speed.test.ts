import { readFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inBrowser } from "../browser/in-browser.js";
import { generatedRun } from "../support/generated-run.js";
import { startedStudio } from "../support/started-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

/** Milliseconds, on a machine that does nothing else; others' work stretches them by as much. */
const limits = { coldStart: 1500, filter: 100, blankTile: 300 };
const stretch = () => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

/** Tiles in the window without their picture, the one way or the other. */
const blankTiles = `[...document.querySelectorAll('[role="listitem"]')].filter((tile) => {
  const { top, bottom } = tile.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight || tile.querySelector(".none") !== null) return false;
  const image = tile.querySelector("img");
  return !(image !== null && image.complete && image.naturalWidth > 0);
}).map((tile) => tile.getAttribute("aria-posinset"))`;

const untilShown = `(async () => {
  const tiles = () => document.querySelectorAll('[role="listitem"]').length;
  // What it can be filtered by belongs to it.
  const filters = () => document.querySelectorAll("search label").length;
  while (tiles() < 12 || filters() < 4 || ${blankTiles}.length > 0) await new Promise(requestAnimationFrame);
})()`;

/** Chooses, and waits until other images are shown in the window. */
const choosing = (label: string, value: string) => `(async () => {
  const named = [...document.querySelectorAll("label")].find(
    (one) => one.firstChild.textContent.trim() === ${JSON.stringify(label)});
  const select = named.querySelector("select");
  const isSeen = (one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  const texts = (isMeant) =>
    [...document.querySelectorAll(".said")].filter(isMeant).map((one) => one.textContent).join();
  await ${untilShown};
  // What was chosen before is drawn, also above and below the window.
  for (let last = "", same = 0; same < 10; same++) {
    await new Promise(requestAnimationFrame);
    const now = texts(() => true);
    if (now !== last) same = 0;
    last = now;
  }
  const before = texts(isSeen);
  const start = performance.now();
  const { set } = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value");
  set.call(select, ${JSON.stringify(value)});
  select.dispatchEvent(new Event("change", { bubbles: true }));
  while (texts(isSeen) === before) await new Promise(requestAnimationFrame);
  return performance.now() - start;
})()`;

const scrolling = `(async () => {
  const since = new Map();
  const frames = [];
  let longest = 0;
  let last = performance.now();
  for (const end = last + 4000; last < end; ) {
    scrollBy(0, 60);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
    const blank = new Set(${blankTiles});
    for (const tile of blank) {
      if (!since.has(tile)) since.set(tile, now);
      longest = Math.max(longest, now - since.get(tile));
    }
    for (const tile of since.keys()) if (!blank.has(tile)) since.delete(tile);
  }
  frames.sort((a, b) => a - b);
  const at = (share) => Math.round(frames[Math.floor(share * frames.length)]);
  return { longest, median: at(0.5), p95: at(0.95), frames: frames.length, scrolled: scrollY };
})()`;

inBrowser("the studio over 10,000 images and 50,000 scores", (open) => {
  test("shows them soon from a cold start, filters and sorts at once, and scrolls without gaps", async () => {
    const root = await temporaryDirectory();
    await generatedRun(join(root, "big"), { images: 10_000, side: 512 });
    const page = await open("about:blank");
    const start = performance.now();
    const { child, url } = await startedStudio(root);
    // Before its server ends: an open page would tell an error of the stream that is left unended.
    onTestFinished(() => page.close());
    await page.goto(`${url}runs/big/gallery`);
    await page.evaluate(untilShown);
    const coldStart = Math.round(performance.now() - start);
    const filters: number[] = [];
    for (const [label, value] of [
      ["Role", "adversarial"],
      ["Domain", "objects"],
      ["Sort by", "disagreement"],
      ["Order", "up"],
    ] as const) {
      filters.push(Math.round(await page.evaluate<number>(choosing(label, value))));
    }
    const scrolled = await page.evaluate<Record<string, number>>(scrolling);
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    const megabytes = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    const slower = stretch();
    console.log({ coldStart, filters, ...scrolled, megabytes, stretch: Number(slower.toFixed(1)) });
    expect(coldStart).toBeLessThan(limits.coldStart * slower);
    expect(Math.max(...filters)).toBeLessThan(limits.filter * slower);
    expect(scrolled.longest).toBeLessThan(limits.blankTile * slower);
    expect(scrolled.scrolled).toBeGreaterThan(1000);
  });
});

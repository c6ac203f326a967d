// Looks at a viewer of results in a browser as a person would, and measures: how long until it shows
// something from the start of its server, how long each choice takes, how it scrolls, what it sends and holds.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const scrolled = 3000;
/** Milliseconds after which rows that are still the same will stay the same. */
const mostWaited = 20_000;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** How the studio over a folder starts, and the address of a page of it. */
export const studioOf = (runs, path) => ({
  start: [
    ...[process.execPath, here("../bin/touchstone"), "studio", runs],
    ...["--port", "0", "--no-open", "--json"],
  ],
  async address(child) {
    const [printed] = await once(child.stdout.setEncoding("utf8"), "data");
    return `${JSON.parse(printed).url}${path}`;
  },
});

/** Text of what is seen of the list, and a wait for another one, timed from the event that asks for it. */
const inPage = `
  window.seen = () => [...document.querySelectorAll(ROWS)]
    .filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    })
    .map((row) => row.textContent).join("|");
  window.frame = () => new Promise(requestAnimationFrame);
  window.settled = async () => {
    const end = performance.now() + ${mostWaited};
    for (let last = "", same = 0; same < 20; same++) {
      await frame();
      if (performance.now() > end) throw new Error("the rows never came to rest");
      const now = seen();
      if (now !== last || now === "" || now.includes("reading")) same = 0;
      last = now;
    }
  };
  window.untilOther = async () => {
    const before = seen();
    const asked = new Promise((resolve) => {
      for (const kind of ["input", "change", "mousedown"]) {
        addEventListener(kind, () => resolve(performance.now()), { capture: true, once: true });
      }
    });
    const start = await asked;
    while (seen() === before) {
      await frame();
      if (performance.now() > start + ${mostWaited}) throw new Error("the same rows stayed in the window");
    }
    return performance.now() - start;
  };
  window.scrolling = async () => {
    const list = [...document.querySelectorAll("*")].find((one) =>
      one.scrollHeight > one.clientHeight + 2000 &&
      (one === document.scrollingElement || /auto|scroll/.test(getComputedStyle(one).overflowY)));
    const frames = [];
    let last = performance.now();
    for (const end = last + ${scrolled}; last < end; ) {
      list.scrollBy(0, 60);
      await frame();
      const now = performance.now();
      frames.push(now - last);
      last = now;
    }
    frames.sort((a, b) => a - b);
    const at = (share) => frames[Math.floor(share * frames.length)];
    const late = frames.filter((one) => one > 1.5 * 1000 / 60).length / frames.length;
    return { median: at(0.5), p95: at(0.95), late, frames: frames.length, far: list.scrollTop };
  };`;

/**
 * @param viewer `start` (words of its process), `rows` (a selector), `isShown` (an expression), `address` (of
 *   its page, once its server answers), `acts` (what a person does on the page, by name, each of which shows
 *   other rows), `undo` (takes their filters away)
 * @returns milliseconds until the server listens, of the first view and of each act, of frames while scrolling and of processor time of the
 *   page's main thread in each; bytes that were received and are held
 */
export async function lookAt(browser, { start: [program, ...words], ...viewer }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  let received = 0;
  protocol.on("Network.loadingFinished", ({ encodedDataLength }) => {
    received += encodedDataLength;
  });
  await protocol.send("Network.enable");
  await protocol.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => {
    const { metrics } = await protocol.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
  const start = performance.now();
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const address = await viewer.address(child);
    const listening = performance.now() - start;
    await page.goto(address);
    await page.evaluate(inPage.replace("ROWS", JSON.stringify(viewer.rows)));
    await page.evaluate(`(async () => { while (!(${viewer.isShown})) await frame(); })()`);
    const found = { listening, cold: performance.now() - start, received };
    for (const [name, act] of Object.entries(viewer.acts)) {
      await page.evaluate("settled()");
      const changed = page.evaluate("untilOther()").catch((cause) => {
        throw new Error(`${name}: ${cause.message}`, { cause });
      });
      [found[name]] = await Promise.all([changed, act(page)]);
    }
    await viewer.undo(page);
    await page.evaluate("settled()");
    const before = await worked();
    const { far, frames, ...scroll } = await page.evaluate("scrolling()");
    if (!(far > 1000)) throw new Error(`It did not scroll: ${far} pixels`);
    const work = ((await worked()) - before) / frames;
    await protocol.send("HeapProfiler.collectGarbage");
    const { usedSize } = await protocol.send("Runtime.getHeapUsage");
    return { ...found, ...scroll, work, heap: usedSize, server: peakOf(child.pid) };
  } finally {
    await context.close();
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  }
}

/** Frames while a page of nothing but lines of text is scrolled in the same way: what the machine leaves to any page. */
export async function bareFrames(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    await page.setContent("<p>a line of text</p>".repeat(3000));
    await page.evaluate(inPage.replace("ROWS", JSON.stringify("p")));
    return await page.evaluate("scrolling()");
  } finally {
    await page.close();
  }
}

/** Bytes that a process held at most; NaN where that is not told. */
function peakOf(pid) {
  try {
    return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}

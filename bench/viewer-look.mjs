// Looks at a viewer of results in a browser as a person would, and measures: how long until it shows
// something from the start of its server, how long a filter and a sorting take, how it scrolls, what it sends
// and holds.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

const scrolled = 3000;

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
    for (let last = "", same = 0; same < 20; same++) {
      await frame();
      const now = seen();
      if (now !== last || now === "") same = 0;
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
    while (seen() === before) await frame();
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
    return { median: at(0.5), p95: at(0.95), far: list.scrollTop };
  };`;

/**
 * @param viewer `start` (words of its process), `rows` (a selector), `isShown` (an expression), `address` (of
 *   its page, once its server answers), `sort` and `filter` (what a person does on the page)
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
  const start = performance.now();
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "ignore"] });
  try {
    await page.goto(await viewer.address(child));
    await page.evaluate(inPage.replace("ROWS", JSON.stringify(viewer.rows)));
    await page.evaluate(`(async () => { while (!(${viewer.isShown})) await frame(); })()`);
    const cold = performance.now() - start;
    const found = { cold, received };
    for (const [name, act] of [
      ["sort", viewer.sort],
      ["filter", viewer.filter],
    ]) {
      await page.evaluate("settled()");
      [found[name]] = await Promise.all([page.evaluate("untilOther()"), act(page)]);
    }
    await viewer.unfilter(page);
    await page.evaluate("settled()");
    const { median, p95, far } = await page.evaluate("scrolling()");
    if (!(far > 1000)) throw new Error(`It did not scroll: ${far} pixels`);
    await protocol.send("HeapProfiler.collectGarbage");
    const { usedSize } = await protocol.send("Runtime.getHeapUsage");
    return { ...found, median, p95, heap: usedSize, server: peakOf(child.pid) };
  } finally {
    await context.close();
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
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

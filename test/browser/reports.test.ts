import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { peopleChapter } from "../../packages/lab/src/verbs/demo/people-chapter.js";
import { trustCard } from "../../src/analysis/trust-card/trust-card.js";
import { runCommandLine } from "../../src/cli/main.js";
import { outputFor } from "../../src/cli/terminal/output.js";
import { cardPage } from "../../src/report/pages/card-page.js";
import { makeAuditRun } from "../report/audit-run.js";
import { makeConfusionRun } from "../report/confusion-run.js";
import { makeSampleRun } from "../report/sample-run.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { sampleCommands } from "../support/sample-commands.js";
import { barriers } from "./accessibility.js";
import { inBrowser } from "./in-browser.js";

const laptop = { width: 1280, height: 800 };
const telephone = { width: 390, height: 844 };
const mostHeight = 2400;

/** A command line for each page but for its --out, and what it reads on standard input. */
const pages: Readonly<Record<string, { readonly words: string; readonly sample?: string }>> = {
  prototypicality: { words: "report prototypicality" },
  "attribute-confusion": { words: "report attribute-confusion" },
  stereotypes: { words: "report stereotypes" },
  "stereotypes-once": { words: "report stereotypes-once" },
  scores: { words: "score images --metric ./width.mjs" },
  "card-run": { words: "card prototypicality --resamples 100" },
  "compare-images": { words: "compare compared.csv --resamples 100 --permutations 100" },
  ...Object.fromEntries(
    (await sampleCommands()).map(({ path, name, flags, quick, sample }) => [
      `table-${name}`,
      { words: [path, "-", ...flags, ...quick].join(" "), sample },
    ]),
  ),
};
/** Those whose records have pictures. */
const pictured = [
  "prototypicality",
  "attribute-confusion",
  "stereotypes",
  "scores",
  "card-run",
  "compare-images",
];

let folder = "";
const fileOf = (name: string) => pathToFileURL(join(folder, `${name}.html`)).href;

async function write(name: string, words: string, stdin = ""): Promise<void> {
  const environment = fakeEnvironment({ workingDirectory: folder, stdin });
  const code = await runCommandLine([...words.split(" "), "--out", `${name}.html`], environment);
  expect(environment.written.stderr).not.toContain("Expected");
  expect(code).toBe(0);
}

/** Three images that a metric of their width scores. */
async function putImages(): Promise<void> {
  await mkdir(join(folder, "images"));
  await writeFile(
    join(folder, "width.mjs"),
    `export default { name: "width", range: [0, 100], direction: "higher", statistic: "pixels",
      async score({ image }) { return { value: image.width }; } };`,
  );
  for (const width of [10, 30, 90]) {
    const image = sharp({ create: { width, height: 40, channels: 3, background: "teal" } });
    await image.png().toFile(join(folder, "images", `${width}.png`));
  }
  const rows = [10, 30, 90].map((width) => ({ file_name: `${width}.png`, text: `${width} wide` }));
  const lines = rows.map((row) => JSON.stringify(row)).join("\n");
  await writeFile(join(folder, "images", "metadata.jsonl"), lines);
  const compared = ["model,prompt,score,human,image"];
  for (const prompt of ["a fox", "an owl", "a red kettle"]) {
    compared.push(
      `painter-a,${prompt},0.8,2,images/30.png`,
      `painter-b,${prompt},0.5,4,images/90.png`,
    );
  }
  await writeFile(join(folder, "compared.csv"), compared.join("\n"));
}

/** Trust cards of five metrics with long names, beside something as wide as a pair of images. */
async function writeFiveCards(): Promise<void> {
  const rows = Array.from({ length: 24 }, (_, at) => ({
    id: `${at}`,
    prompt: `p${at % 8}`,
    comparison: at % 2 === 0 ? "contrastive" : "control-atypical",
    correct: 0.5,
    adversarial: at % 6 === 0 ? 0.9 : 0.3,
  }));
  const names = ["skewed", "balanced", "large", "small", "early"].map(
    (name) => `clip-score:hessel (lab:dual-encoder-${name})`,
  );
  const cards = names.map((name) =>
    trustCard(rows, { name, direction: "higher", source: "five.csv", resamples: 100 }),
  );
  const example = { parts: [{ pictures: [] }] };
  const text = await cardPage(cards, { title: "Trust cards", command: "touchstone card", example });
  await writeFile(join(folder, "five-cards.html"), text);
}

/** The page of the demo's chapter of simulated people, over the triplets of the sample run. */
async function writePeoplesChapter(): Promise<void> {
  const environment = fakeEnvironment({ workingDirectory: folder });
  const run = join(folder, "prototypicality", "people");
  await peopleChapter({
    run,
    command: ["demo", "--run", "prototypicality"],
    size: "small",
    seed: 0,
    runtime: "wasm",
    environment,
    output: outputFor({ environment, json: false }),
  });
  await copyFile(join(run, "report.html"), join(folder, "people.html"));
}

/** Where the first screen's parts end, and how high the page is, in pixels. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const first = [...document.querySelectorAll(".first .scroll, .first .plot")];
    const bottom = (selector: string) =>
      document.querySelector(selector)?.getBoundingClientRect().bottom ?? null;
    return {
      height: document.documentElement.scrollHeight,
      width: document.documentElement.scrollWidth,
      hidden: first.filter((one) => one.scrollWidth > one.clientWidth + 1).length,
      verdict: bottom(".first .lead"),
      figure: bottom(".first figure"),
      pair: bottom(".first .pair"),
    };
  });

inBrowser("reports", (open) => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "touchstone-"));
    await makeSampleRun(join(folder, "prototypicality"));
    await makeConfusionRun(join(folder, "attribute-confusion"), {
      count: 12,
      painters: ["a", "e"],
    });
    await makeAuditRun(join(folder, "stereotypes"), { count: 6 });
    await makeAuditRun(join(folder, "stereotypes-once"), { count: 3, isRefined: false });
    await putImages();
    for (const [name, { words, sample }] of Object.entries(pages)) await write(name, words, sample);
    await write("sheet", "study page stereotypes");
    await writePeoplesChapter();
    await writeFiveCards();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(Object.keys(pages))(
    "%s: three screens, the verdict and its figure on the first",
    async (name) => {
      const page = await open(fileOf(name), laptop);
      const { height, width, hidden, verdict, figure, pair } = await measure(page);
      expect(hidden).toBe(0);
      expect(height).toBeLessThanOrEqual(mostHeight);
      expect(width).toBeLessThanOrEqual(laptop.width);
      expect(verdict).toBeLessThanOrEqual(laptop.height);
      expect(figure).toBeLessThanOrEqual(laptop.height);
      if (pictured.includes(name)) expect(pair).toBeLessThanOrEqual(laptop.height);
      else expect(pair ?? 0).toBeLessThanOrEqual(laptop.height);
      expect(await barriers(page)).toEqual([]);
    },
  );

  it("five trust cards fit beside a pair of images", async () => {
    const page = await open(fileOf("five-cards"), laptop);
    expect(await page.locator(".scoreboard thead th").count()).toBe(6);
    expect((await measure(page)).hidden).toBe(0);
  });

  it.each([...Object.keys(pages), "people", "sheet"])(
    "%s: nothing is out of a telephone's reach",
    async (name) => {
      const page = await open(fileOf(name), { ...telephone, colorScheme: "dark" });
      const { width } = await measure(page);
      expect(width).toBeLessThanOrEqual(telephone.width);
      const beyond = await page.evaluate(
        () =>
          [...document.querySelectorAll("button, summary, label, .first .plot")].filter(
            (one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1,
          ).length,
      );
      expect(beyond).toBe(0);
      expect(await barriers(page)).toEqual([]);
    },
  );

  it("the demo's chapter of people: no barrier, no sideways scroll on a laptop", async () => {
    const page = await open(fileOf("people"), laptop);
    expect((await measure(page)).width).toBeLessThanOrEqual(laptop.width);
    expect(await barriers(page)).toEqual([]);
  });

  it("unfolds what a link leads to, and all of it where that is asked for, in print as well", async () => {
    const page = await open(fileOf("prototypicality"), laptop);
    const shown = (selector: string) =>
      page.evaluate(
        (one) => document.querySelector(one)?.checkVisibility({ contentVisibilityAuto: true }),
        selector,
      );
    // The browser opens a fold when it has gone to the address, which may be after the click.
    const isShown = (selector: string) => expect.poll(() => shown(selector)).toBe(true);
    expect(await shown("#methods dl")).toBe(false);
    await page.click('nav a[href="#methods"]');
    await isShown("#methods dl");
    expect(await shown("#scores table")).toBe(false);

    await page.emulateMedia({ media: "print" });
    await isShown("#methods dl");
    expect(await shown("#scores table")).toBe(false);
    await page.emulateMedia({ media: "screen" });
    await page.focus("#unfold");
    await page.keyboard.press("Space");
    await isShown("#scores table");
    await page.emulateMedia({ media: "print" });
    await isShown("#scores table");
    await isShown("#cards details dl");
  });

  it("opens the folds around a card that an address names", async () => {
    const id = /<article class="card" id="(disagreement-[^"]*)"/.exec(
      await readFile(join(folder, "prototypicality.html"), "utf8"),
    )?.[1];
    expect(id).toBeDefined();
    const page = await open(`${fileOf("prototypicality")}#${id}`, laptop);
    await expect
      .poll(() => page.evaluate(() => document.querySelectorAll("details[open]").length))
      .toBe(1);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(laptop.height);
  });
});

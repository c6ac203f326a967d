import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { readExcluded } from "../../src/benchmarks/prototypicality/run-filter.js";
import { openStore } from "../../src/files/open-store.js";
import { generatedJudge } from "../support/generated-judge.js";
import { filterBy, type GeneratedRun, generatedRun } from "../support/generated-run.js";
import { reviewQueue } from "../support/review-queue.js";
import { servedStudio } from "../support/served-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { barriers } from "./accessibility.js";
import { inBrowser } from "./in-browser.js";

async function shownRun(images = 200) {
  const root = await temporaryDirectory();
  const run = await generatedRun(join(root, "generated"), { images, side: 64 });
  await reviewQueue(root, { items: 3 });
  await generatedJudge(join(root, "judge.json"), { labels: 120 });
  return { run, address: await servedStudio({ root, shown: "runs" }) };
}

const firstImage = ({ images }: GeneratedRun) => images[0]?.key ?? "";

const pages = (run: GeneratedRun): Readonly<Record<string, string>> => ({
  runs: "/",
  run: "/runs/generated",
  gallery: "/runs/generated/gallery",
  grid: "/runs/generated/grid",
  item: `/runs/generated/items/${firstImage(run)}?at=0`,
  pairs: "/runs/generated/pairs",
  swipe: "/runs/generated/pairs?mode=swipe",
  blink: "/runs/generated/pairs?mode=blink",
  review: "/reviews/review.jsonl",
  judge: "/judges/judge.json",
  compare: "/compare",
  evidence: "/evidence",
  "one metric": "/evidence?metric=CLIPScore",
  cards: "/cards",
  analyse: "/analyse",
  jobs: "/jobs",
  "beside itself": "/compare?run=generated&beside=generated",
  "no such page": "/nothing/here",
  "nothing found": "/runs/generated/gallery?text=xyzzy",
  components: "/dev/components",
});

const settled = async (page: Page) => {
  await page.waitForSelector("main");
  await soon(() => page.getByText(/^Reading (?!an example)/).count()).toBe(0);
};

/** Polls as long as a machine at work on other things may need. */
const soon = <Value>(look: () => Value | Promise<Value>) => expect.poll(look);

const sideways = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

inBrowser("the studio", (open) => {
  test.each(["light", "dark"] as const)(
    "has no serious barrier on any page, %s",
    async (colorScheme) => {
      const { run, address } = await shownRun();
      const page = await open(address, { colorScheme });
      for (const [name, path] of Object.entries(pages(run))) {
        await page.goto(address + path);
        await settled(page);
        expect(await barriers(page), name).toEqual([]);
      }
    },
  );

  test.each([390, 1280, 2560])("scrolls no page sideways at %i px", async (width) => {
    const { run, address } = await shownRun();
    const page = await open(address, { width });
    for (const [name, path] of Object.entries(pages(run))) {
      await page.goto(address + path);
      await settled(page);
      expect(await sideways(page), name).toBe(0);
    }
  });

  test("is walked by keyboard alone, from the runs to a pair and back", async () => {
    const { run, address } = await shownRun();
    const page = await open(address);
    await page.getByRole("main").getByRole("link", { name: "generated" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent.trim()")).toBe(
      "Skip to the content",
    );
    await page.keyboard.press("Enter");
    // Past the bar and the side bar.
    const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
    for (let tabs = 0; tabs < 16 && !(await focused()).startsWith("generated"); tabs++) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.waitForURL("**/runs/generated");
    await page.getByRole("heading", { name: "Metrics" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("its images").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.waitForURL("**/gallery");
    await page.locator('[data-at="0"]').waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await soon(() => page.evaluate("document.activeElement.dataset.at")).toBe("1");
    await page.keyboard.press("End");
    await soon(() => page.evaluate("document.activeElement.dataset.at")).toBe("199");
    await page.keyboard.press("Home");
    await soon(() => page.evaluate("document.activeElement.dataset.at")).toBe("0");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/items/${firstImage(run)}**`);
    await page.getByText("1 of 200 images").waitFor();
    // What is read of one image is read of the next: its score stays open.
    await page.locator(".score-list summary").first().focus();
    await page.keyboard.press("Enter");
    const record = page.locator(".score-list details[open] .facts");
    await record.waitFor();
    const asked = await record.innerText();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(`**/items/${run.images[1]?.key}**`);
    await page.getByText("2 of 200 images").waitFor();
    await soon(() => record.innerText()).not.toBe(asked);
    await page.getByRole("link", { name: "Look at its pair" }).waitFor();
    await page.keyboard.press("p");
    await page.waitForURL("**/pairs?key=**");
    await page.keyboard.press("3");
    await page.getByRole("button", { name: "Show wrong" }).waitFor();
    await page.keyboard.press(" ");
    await page.getByRole("button", { name: "Show right" }).waitFor();
    await page.keyboard.press("u");
    await page.waitForURL("**/runs/generated");
  });

  test("begins with the pairs that the run's filter kept, and shows the others where asked", async () => {
    const root = await temporaryDirectory();
    const run = await generatedRun(join(root, "rated"), { images: 40, side: 16 });
    await filterBy(run);
    const address = await servedStudio({ root, shown: "runs" });
    // What is asked of a run while it is read has no filter yet.
    await fetch(`${address}/api/runs/rated/items?limit=1`);
    const { filter, pairs } = await (await fetch(`${address}/api/runs/rated`)).json();
    const page = await open(`${address}/runs/rated/pairs`, { width: 390 });
    const shown = (some: number) => page.getByText(`1 of ${some} pairs`).waitFor();
    await shown(filter.kept);
    const leftOut = page.getByText(/^The run's filter left this pair out/);
    expect(await leftOut.count()).toBe(0);
    await page.getByLabel("Filter").selectOption({ label: `left out (${pairs - filter.kept})` });
    await shown(pairs - filter.kept);
    await leftOut.waitFor();
    await page.waitForURL("**/pairs?kept=no");
    expect(await barriers(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    await page.reload();
    await shown(pairs - filter.kept);
    // An address from a longer list leads to the last pair; an image stands nowhere in a shorter one.
    await page.goto(`${address}/runs/rated/pairs?at=999`);
    await page.getByText(`${filter.kept} of ${filter.kept} pairs`).waitFor();
    await page.waitForURL(`**/pairs?at=${filter.kept - 1}`);
    const listed = page.waitForResponse(/items\?limit=1&cursor=1000$/);
    await page.goto(`${address}/runs/rated/items/${firstImage(run)}?at=999`);
    await (await listed).finished();
    await page.getByText("Scores", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Next →" }).count()).toBe(0);
  });

  test("leaves a triplet out by hand, with the reason, by keyboard, and counts it again", async () => {
    const root = await temporaryDirectory();
    await generatedRun(join(root, "made"), { images: 8, side: 16 });
    const excluded = async () => [
      ...(await readExcluded(await openStore(join(root, "made")))).values(),
    ];
    const page = await open(`${await servedStudio({ root, shown: "runs" })}/runs/made/pairs`);
    await page.getByText("Exclude this triplet").focus();
    await page.keyboard.press("Enter");
    const reason = page.getByLabel("Reason");
    await reason.focus();
    // None of these letters is taken for a key of the page.
    await page.keyboard.type("two robins, p 3");
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByText("Excluded by hand: two robins, p 3.").waitFor();
    expect(await excluded()).toEqual(["two robins, p 3"]);
    await page.reload();
    await page.getByRole("button", { name: "Count it again" }).click();
    await page.getByText("Exclude this triplet").waitFor();
    expect(await excluded()).toEqual([]);
    // A reason is asked for.
    await page.getByText("Exclude this triplet").click();
    expect(await page.getByRole("button", { name: "Exclude" }).isDisabled()).toBe(true);
  });

  test("sets two runs beside each other, walked by keyboard, with what flipped", async () => {
    const root = await temporaryDirectory();
    await generatedRun(join(root, "before"), { images: 200, side: 16 });
    await generatedRun(join(root, "after"), { images: 200, side: 16, seed: "other" });
    const address = await servedStudio({ root, shown: "runs" });
    const page = await open(`${address}/compare?run=before&beside=after`);
    await page
      .getByText(/Of \d+ images? in both, [1-9]\d* became right and [1-9]\d* became wrong/)
      .first()
      .waitFor();
    await page
      .locator("summary", { hasText: /^Which$|^The first/ })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    await page.getByText("✕ now wrong").first().waitFor();
    await page
      .getByRole("region", { name: "Changed images" })
      .getByText(/for the same text and seed/)
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    await page.keyboard.press("s");
    await page.waitForURL(/run=after&beside=before/);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("swap the two runs").waitFor();
  });

  test("compares metrics with people where people rated images", async () => {
    const root = await temporaryDirectory();
    await generatedRun(join(root, "generated"), { images: 80, side: 16, people: true });
    const page = await open(`${await servedStudio({ root })}/compare`);
    const table = page.getByRole("region", { name: "Models by metrics" });
    await table.getByText("tau-b with people").waitFor();
    await table.getByRole("rowheader", { name: "people" }).waitFor();
    const cells = await table.locator("tr", { hasText: "hps" }).locator("td").allInnerTexts();
    expect(cells[1]).toMatch(/^−?0\.\d+ \[.*\], n \d+$/);
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await soon(() => sideways(page)).toBe(0);
  });

  test("keeps filters in the address, and Back brings them back", async () => {
    const { run, address } = await shownRun();
    const page = await open(`${address}/runs/generated/gallery`);
    await page.getByText("200 images").waitFor();
    await page.getByLabel("Role").selectOption("correct");
    await page.getByText("50 images of 200").waitFor();
    await page.getByLabel("Text").fill("number 7 ");
    const found = run.images.filter(
      ({ role, text }) => role === "correct" && / number 7 /.test(text),
    );
    await page.getByText(/^[1-9]\d* images? of 200$/).waitFor();
    await soon(() => new URL(page.url()).searchParams.get("text")?.trim()).toBe("number 7");
    await page.locator('[data-at="0"]').click();
    await page.waitForURL("**/items/**");
    await page.goBack();
    await page.waitForURL("**/gallery**");
    expect(await page.getByLabel("Role").inputValue()).toBe("correct");
    expect(found.length).toBeGreaterThan(0);
  });

  test("a grid is filtered by scores and people, its view kept, and what is chosen is tagged", async () => {
    const root = await temporaryDirectory();
    await generatedRun(join(root, "generated"), { images: 80, side: 16, people: true });
    const page = await open(`${await servedStudio({ root })}/runs/generated/grid`);
    const rows = page.getByText(/^\d+ rows?, 4 columns$/);
    await page.getByText("20 rows, 4 columns").waitFor();
    await page.getByRole("button", { name: "Only disagreement with people" }).click();
    await page.waitForURL("**/grid?only=people");
    await page.getByText("✕ people prefer another").first().waitFor();
    await soon(() => page.getByText("✓ as people").count()).toBe(0);
    await page.getByLabel("Scores").fill("vqa < 0.5 and clip > 0.1");
    await page.keyboard.press("Enter");
    await page.waitForURL(/where=/);
    // Back takes the last choice back, and stays.
    await page.goBack();
    await page.waitForURL("**/grid?only=people");
    await page.goForward();
    await page.waitForURL(/where=/);
    page.on("dialog", (dialog) => void dialog.accept("worst"));
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByRole("link", { name: "worst" }).waitFor();
    await page.keyboard.press("x");
    await page.getByText("20 rows, 4 columns").waitFor();
    await page.getByRole("link", { name: "worst" }).click();
    await page.waitForURL(/where=/);
    await rows.waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("v");
    await page.getByText("1 image chosen").waitFor();
    await page.getByLabel("Tag, comment, reason or name").fill("odd");
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Tag", exact: true }).click();
    await page.getByText("1 image tagged odd").waitFor();
    await page.goto(page.url().replace(/grid.*/, "gallery?tag=odd"));
    await page.getByText("1 image of 80").waitFor();
  });

  test("finds runs and images from anywhere, and keeps the colours that were chosen", async () => {
    const { address } = await shownRun(40);
    const page = await open(`${address}/runs/generated`);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("number 3");
    await page.getByRole("option", { name: /^Images whose text/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/gallery\?text=/);
    await page.getByRole("button", { name: /^Colours/ }).click();
    await page.getByRole("button", { name: "Colours: light" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Colours: dark" }).waitFor();
    const paper = "getComputedStyle(document.body).backgroundColor";
    expect(await page.evaluate(paper)).toBe("rgb(21, 24, 27)");
  });

  test("saves the images that the filters leave, and copies a table, as CSV", async () => {
    const { run, address } = await shownRun();
    const page = await open(`${address}/runs/generated/gallery?role=correct`);
    await page.getByText("50 images of 200").waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    await page.getByText("Saved ✓").waitFor();
    const [head = "", ...lines] = (await readFile(await saved.path(), "utf8")).trim().split("\n");
    expect(head).toMatch(/^key,image,text,prompt,role,sample,generator,domain,reason,clip-score,/);
    const keys = run.images.filter(({ role }) => role === "correct").map(({ key }) => key);
    expect(lines.map((line) => line.split(",", 1)[0])).toEqual(keys);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${address}/runs/generated`);
    await page.getByRole("heading", { name: "Steps" }).waitFor();
    await page.getByLabel("More of the table Steps").click();
    await page.getByRole("button", { name: "Copy as CSV" }).last().click();
    await page.getByText("Copied ✓").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toMatch(/^step,done,planned,/);
  });

  test("loses no letter to whoever types faster than the page filters", async () => {
    const { address } = await shownRun(40);
    const page = await open(`${address}/runs/generated/gallery`);
    await page.getByText("40 images").waitFor();
    const protocol = await page.context().newCDPSession(page);
    await protocol.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const typed = "a picture with number 7 on it, and more than its field has room for";
    await page.getByLabel("Text").focus();
    await page.keyboard.type(typed);
    await soon(() => new URL(page.url()).searchParams.get("text")).toBe(typed);
    expect(await page.getByLabel("Text").inputValue()).toBe(typed);
  });

  test("lists a page's keys for whoever clicks, too", async () => {
    const { address } = await shownRun(4);
    const page = await open(`${address}/runs/generated`);
    await page.getByRole("button", { name: "? Keys" }).click();
    await page.getByRole("dialog").getByText("its images").waitFor();
  });

  test("opens compare on what can be compared, and says what one model lacks", async () => {
    const root = await temporaryDirectory();
    await generatedRun(join(root, "one"), { images: 40, side: 8, metrics: 1 });
    await generatedRun(join(root, "two"), { images: 40, side: 8, metrics: 1, seed: "other" });
    const page = await open(`${await servedStudio({ root })}/compare`);
    await page.getByText("One model, nothing to compare it with").waitFor();
    await page.getByRole("button", { name: "Beside two" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/run=one&beside=two/);
    await page
      .getByRole("link", { name: /^n \d+: images of two/ })
      .last()
      .click();
    await page.waitForURL(/\/runs\/two\/gallery\?/);
    await page.getByText(/^\d+ images of 40$/).waitFor();
  });

  test("sorts by disagreement with people, says what that is, and keeps it in the address", async () => {
    const root = await temporaryDirectory();
    await generatedRun(join(root, "generated"), { images: 80, side: 16, people: true });
    const page = await open(`${await servedStudio({ root })}/runs/generated/gallery`);
    await page.getByText("80 images").waitFor();
    await page.getByLabel("Sort by").selectOption("people");
    await page.getByText(/ranks are compared: a metric and people/).waitFor();
    await page
      .getByText(/^0\.\d\d apart/)
      .first()
      .waitFor();
    await page.getByLabel("From people by").fill("0.6");
    await page.getByText(/^[1-9]\d* images? of 80$/).waitFor();
    await soon(() => new URL(page.url()).searchParams.get("gap")).toMatch(/^"?0\.6"?$/);
    expect(await barriers(page)).toEqual([]);
    // On a telephone one button holds all filters but the text's.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel("From people by").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Filters (1)" }).click();
    await page.getByLabel("From people by").waitFor();
    await soon(() => sideways(page)).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "shows a file of scores worst first, by keyboard and on a telephone, %s",
    async (colorScheme) => {
      const root = await temporaryDirectory();
      const about = { metric: "m", model: "x:y", statistic: "P(yes)", low: 0, high: 1 };
      const rows = Array.from({ length: 70 }, (_, at) => ({
        image: `${at}.png`,
        text: `a cat number ${at}`,
        ...(at % 10 === 9
          ? { status: "unscored", value: null, reason: "timeout", detail: "no answer within 30 s" }
          : { status: "scored", value: ((at * 37) % 70) / 70, reason: null }),
        ...about,
        direction: "higher",
      }));
      const image = sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } });
      const bytes = await image.png().toBuffer();
      for (const row of rows) await writeFile(join(root, row.image), bytes);
      const lines = rows.map((row) => JSON.stringify(row)).join("\n");
      await writeFile(join(root, "scores.jsonl"), lines);
      const page = await open(await servedStudio({ root }), { colorScheme });
      await page.getByRole("main").getByRole("link", { name: "scores.jsonl" }).click();
      const values = () => page.locator(".images b").allInnerTexts();
      await soon(async () => (await values()).length).toBe(60);
      expect(Number((await values())[0])).toBe(0);
      await page.keyboard.press("n");
      await soon(async () => (await values()).length).toBe(70);
      expect((await values()).at(-1)).toBe("unscored: timeout");
      await page.keyboard.press("r");
      await soon(async () => Number((await values())[0])).toBeGreaterThan(0.9);
      expect(new URL(page.url()).searchParams.get("order")).toBe("best");
      await page.getByLabel("Unscored").selectOption("timeout");
      await page.getByText("7 images").waitFor();
      // A letter of the search is no key of the page.
      await page.keyboard.press("/");
      await page.keyboard.type("number 6");
      await page.getByText("1 image", { exact: true }).waitFor();
      expect(await page.getByLabel("Text").inputValue()).toBe("number 6");
      await page.keyboard.press("Escape");
      await page.keyboard.press("x");
      await page.getByText("70 images").waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      await soon(() => sideways(page)).toBe(0);
    },
  );

  test("draws only what is near the window, and every tile that is seen gets its image", async () => {
    const { address } = await shownRun(4000);
    const page = await open("about:blank");
    const held: Route[] = [];
    await page.route("**/images/**", (route) => void held.push(route));
    const pass = () => Promise.all(held.splice(0).map((route) => route.continue()));
    await page.goto(`${address}/runs/generated/gallery`);
    await page.locator('[data-at="0"] img').waitFor();
    const pictures = () => page.locator('[role="listitem"] img').count();
    const seen = `[...document.querySelectorAll("#page .tile")].filter(
      (tile) => tile.getBoundingClientRect().top < innerHeight)`;
    // An item that has not come yet may turn out to have no image.
    const awaited = `${seen}.filter((tile) => tile.querySelector(".said").textContent === "").length`;
    await soon(() => page.evaluate(awaited)).toBe(0);
    const inWindow = await page.evaluate<number>(
      `${seen}.filter((tile) => !tile.querySelector(".none")).length`,
    );
    // What is seen is asked for first, what lies below it two at a time.
    for (const below of [0, 2, 4]) {
      await soon(pictures).toBe(inWindow + below);
      await soon(() => held.length).toBe(below === 0 ? inWindow : 2);
      await pass();
    }
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await pass();
    const tiles = () => page.locator('[role="listitem"]').count();
    expect(await tiles()).toBeLessThan(150);
    for (const share of [0.5, 0.99, 0.2]) {
      await page.evaluate(`scrollTo(0, document.body.scrollHeight * ${share})`);
      const blank = `[...document.querySelectorAll('[role="listitem"]')].filter((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        if (bottom < 0 || top > innerHeight) return false;
        const image = tile.querySelector("img");
        return tile.querySelector(".none") === null && !(image?.complete && image.naturalWidth > 0);
      }).length`;
      await soon(() => page.evaluate(blank)).toBe(0);
      expect(await tiles()).toBeLessThan(150);
    }
  });

  test("shows prompts as text, whatever stands in them", async () => {
    const root = await temporaryDirectory();
    await generatedRun(join(root, "<img src=x onerror=alert(1)>"), {
      images: 4,
      prompt: `<script>document.title="gotcha"</script><img src=x onerror="document.title='gotcha'">`,
    });
    const address = await servedStudio({ root });
    const page = await open(address);
    await page.getByRole("main").getByRole("link", { name: "<img src=x" }).click();
    await page.getByRole("link", { name: /^Images/ }).click();
    await page.locator('[data-at="0"]').waitFor();
    await page.getByText("<script>").first().waitFor();
    await page.locator('[data-at="0"]').click();
    await page.waitForURL("**/items/**");
    await settled(page);
    expect(await page.title()).toContain("<script>");
    expect(await page.evaluate("document.querySelectorAll('main script, img[src=x]').length")).toBe(
      0,
    );
  });

  test("shows what a judge's threshold does as it is moved, by keyboard and by dragging", async () => {
    const { address } = await shownRun();
    const page = await open(`${address}/judges/judge.json`);
    const slider = page.getByRole("slider");
    await slider.waitFor();
    const accepted = () => page.locator(".threshold dd").first().innerText();
    const before = await accepted();
    await slider.focus();
    await page.keyboard.press("Home");
    await soon(accepted).not.toBe(before);
    const atStart = await accepted();
    const area = await page.locator(".threshold-area").boundingBox();
    if (area === null) throw new Error("The plot has no area to drag in");
    await page.mouse.move(area.x + 5, area.y + 50);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width - 2, area.y + 50, { steps: 5 });
    await page.mouse.up();
    const share = async () => Number.parseFloat(await accepted());
    await soon(share).toBeGreaterThan(98);
    expect(Number.parseFloat(atStart)).toBeLessThan(50);
    expect(new URL(page.url()).searchParams.get("threshold")).not.toBeNull();
    await page.getByRole("button", { name: "30 %" }).click();
    await soon(() => page.getByText("certified from").count()).toBe(1);
    await soon(() => new URL(page.url()).searchParams.get("target")).toBe("0.3");
  });
});

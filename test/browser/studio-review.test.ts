import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { queueAnswers, reviewQueue } from "../support/review-queue.js";
import { MortalStudio } from "../support/review-storm.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { inBrowser } from "./in-browser.js";

const patient = { timeout: 60_000 };
const cutOff = { isCutOff: true };

/** Waits for a caption and its images, and after the key until another one is asked about, or none. */
async function press(page: Page, key: string): Promise<void> {
  const shown = "document.querySelector('.asked[aria-busy=false] .lead')?.textContent ?? ''";
  // Between two hands of items there may be none for a moment: a key then answers nothing.
  await expect.poll(() => page.evaluate(shown), patient).not.toBe("");
  const before = await page.evaluate(shown);
  await page.keyboard.press(key);
  await expect.poll(() => page.evaluate(shown), patient).not.toBe(before);
}

inBrowser("a review queue", (open) => {
  test("takes no key for an item whose images are not shown yet", async () => {
    const directory = await temporaryDirectory();
    const path = await reviewQueue(directory, { items: 2 });
    const studio = new MortalStudio(directory);
    await studio.start();
    const page = await open(`${studio.address}/`, cutOff);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const lost = new Set<string>();
    await page.route("**/images/**", async (route) => {
      await released;
      const address = route.request().url();
      // The first time its server is away.
      const isLost = !lost.has(address);
      lost.add(address);
      await (isLost ? route.abort("connectionrefused") : route.continue());
    });
    await page.getByRole("main").getByRole("link", { name: "review.jsonl" }).click();
    await page.getByText("Caption number 0").waitFor(patient);
    await page.keyboard.press("a");
    // A key that stands open for all items has been heard when this one has.
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor(patient);
    await page.keyboard.press("Escape");
    expect((await queueAnswers(path)).map(({ preferred }) => preferred)).toEqual([null, null]);
    await page.getByText("0 of 2 items answered").waitFor(patient);
    release();
    await press(page, "b");
    await page.getByText("1 of 2 items answered").waitFor(patient);
    expect((await queueAnswers(path)).map(({ preferred }) => preferred)).toEqual(["b", null]);
  });

  test("is answered by keyboard in two windows, over a killed server, and taken up again", async () => {
    const directory = await temporaryDirectory();
    const path = await reviewQueue(directory, { items: 16 });
    const studio = new MortalStudio(directory);
    await studio.start();
    const one = await open(`${studio.address}/reviews/review.jsonl`, cutOff);
    await one.getByText("Caption number 0").waitFor(patient);
    const two = await open(`${studio.address}/reviews/review.jsonl`, cutOff);
    await two.getByText("Caption number 6").waitFor(patient);
    await press(one, "a");
    await press(one, "t");
    await press(one, "z");
    await one.getByText("Caption number 1").waitFor(patient);
    await press(one, "b");
    await press(two, "s");
    await two.getByText("Caption number 7").waitFor(patient);
    await press(two, "b");
    const killed = studio.kill();
    await press(two, "b");
    await killed;
    for (const page of [one, two]) await page.getByText("4 of 16 items answered").waitFor(patient);
    const soFar = await queueAnswers(path);
    expect(soFar.map(({ preferred }) => preferred).slice(0, 9)).toEqual([
      ...["a", "b", null, null, null, null, null, "b", "b"],
    ]);
    await two.close();
    const again = await open(`${studio.address}/`);
    await again.getByRole("main").getByRole("link", { name: "review.jsonl" }).click();
    await again.getByText("4 of 16 items answered").waitFor(patient);
    // An item may go, to come back in the next hand, between a look at it and the key.
    const left = /^(1[0-5]|[4-9]) of 16 items answered/;
    while (await again.getByText(left).isVisible()) await again.keyboard.press("a");
    await again.getByRole("heading", { name: "All 16 items are answered" }).waitFor(patient);
    await again.getByText("--add review.jsonl").waitFor(patient);
    const said = await queueAnswers(path);
    expect(said.every(({ preferred }) => preferred !== null)).toBe(true);
  });

  test("asks another reviewer again, who doesn't see the first answer, and shows where they differ", async () => {
    const directory = await temporaryDirectory();
    await reviewQueue(directory, { items: 2 });
    const studio = new MortalStudio(directory);
    await studio.start();
    const page = await open(`${studio.address}/reviews/review.jsonl`);
    const name = page.getByLabel("Your name");
    const second = page.getByRole("button", { name: "Second opinion" });
    await page.getByText("Caption number 0").waitFor(patient);
    await second.click();
    await page.getByText("Say your name first").waitFor(patient);
    await name.fill("Ada");
    await name.press("Escape");
    await press(page, "a");
    await press(page, "b");
    await page.getByText("2 of 2 items answered").waitFor(patient);
    await second.click();
    await page.getByText("Nothing here was answered by somebody").waitFor(patient);
    await second.click();
    await name.fill("Bob");
    await second.click();
    await page.getByText("0 of 2 items answered").waitFor(patient);
    expect(await page.getByText("Ada").count()).toBe(0);
    await press(page, "b");
    await press(page, "b");
    await page.getByText("Two reviewers agree on 1 of 2 items (50 %)").waitFor(patient);
    const rows = page.getByRole("region", { name: "what two reviewers said" }).locator("tbody tr");
    expect(await rows.count()).toBe(2);
    await page.getByRole("button", { name: "Only where two reviewers differ" }).click();
    await expect.poll(() => rows.count(), patient).toBe(1);
    expect(await rows.innerText()).toMatch(/number 0.*\(Ada\).*\(Bob\).*two reviewers differ/s);
  });
});

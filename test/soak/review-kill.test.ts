import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openLabels } from "../../src/cli/verbs/calibrate/judged-table.js";
import { inBrowser } from "../browser/in-browser.js";
import { queueAnswers, reviewQueue } from "../support/review-queue.js";
import { MortalStudio } from "../support/review-storm.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

const items = 500;
const kills = [70, 150, 240, 330, 420];
const keys = ["a", "b", "t"] as const;
const words = ["a", "b", "tie"] as const;
const labels = [1, 0, null] as const;

/** What is asked once its images are shown: before that no key answers. */
const asked = "document.querySelector('.asked[aria-busy=false] .lead')?.textContent ?? ''";
const isOver =
  "[...document.querySelectorAll('h2')].some((one) => /are answered/.test(one.innerText))";

inBrowser("a review queue of 500", (open) => {
  test("is answered in two windows while the studio is killed five times: none lost, none twice", async () => {
    const directory = await temporaryDirectory();
    const path = await reviewQueue(directory, { items });
    const studio = new MortalStudio(directory);
    await studio.start();
    const due = [...kills];
    let pressed = 0;
    const work = async (page: Page) => {
      for (;;) {
        const caption = await page.evaluate<string>(asked);
        const number = /\d+$/.exec(caption)?.[0];
        if (number === undefined) {
          if (await page.evaluate<boolean>(isOver)) return;
          await page.evaluate("new Promise(requestAnimationFrame)");
          continue;
        }
        await page.keyboard.press(keys[Number(number) % 3] ?? "");
        pressed++;
        if (pressed >= (due[0] ?? items + 1)) {
          due.shift();
          await studio.kill();
        }
        // Twice the same key would answer the next as well.
        const stands = `new Promise((resolve) => {
          const look = () => (${asked}) === ${JSON.stringify(caption)} ? requestAnimationFrame(look) : resolve();
          look();
        })`;
        await page.evaluate(stands);
      }
    };
    const address = `${studio.address}/reviews/review.jsonl`;
    const pages = [
      await open(address, { isCutOff: true }),
      await open(address, { isCutOff: true }),
    ];
    await Promise.all(pages.map(work));
    expect(due).toEqual([]);
    const said = await queueAnswers(path);
    expect(said.map(({ id, preferred }) => [id, preferred])).toEqual(
      Array.from({ length: items }, (_, at) => [`pair-${at}`, words[at % 3]]),
    );
    const environment = { workingDirectory: directory, stdin: process.stdin };
    const table = { file: "review.jsonl", map: [], environment };
    const read = await (await openLabels(table, { task: "pair", isReviewed: true })).read(
      undefined,
    );
    expect(read.map(({ id, label }) => [id, label])).toEqual(
      Array.from({ length: items }, (_, at) => [`pair-${at}`, labels[at % 3]]),
    );
  }, 1_200_000);
});

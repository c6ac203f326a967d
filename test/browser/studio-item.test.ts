import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/main.js";
import { openIndex } from "../../src/studio/runs.js";
import { makeConfusionRun } from "../report/confusion-run.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { servedStudio } from "../support/served-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { barriers } from "./accessibility.js";
import { inBrowser } from "./in-browser.js";

/** Everything that the page of a localised score shows, walked by keyboard; returns its question table and command. */
async function shown(page: Page): Promise<string> {
  await page.locator(".score-list").waitFor();
  const opened = page.locator("summary", { hasText: "f1:blurring+cropping" }).first();
  // Which metric looked at entities is known a moment after the scores.
  await page.getByRole("button", { name: "Mask" }).waitFor();
  await page.keyboard.press("m");
  await page.getByText(/^Where the localiser found/).waitFor();
  const outside =
    "document.querySelector('.whole canvas').getContext('2d').getImageData(0, 0, 1, 1).data[3]";
  await expect.poll(() => page.evaluate(outside)).toBeGreaterThan(100);
  await opened.focus();
  await page.keyboard.press("Enter");
  const seen =
    "(() => { const all = [...document.querySelectorAll('.looks img')]; return all.length > 0 && all.every((one) => one.complete && one.naturalWidth > 0); })()";
  await expect.poll(() => page.evaluate(seen)).toBe(true);
  const questions = page.getByRole("region", { name: "Questions about its entities" });
  const command = page.locator(".command pre");
  expect(await command.innerText()).toMatch(/touchstone score --image \S*run\/blobs\//);
  for (let entity = 0; entity < 3; entity++) await page.keyboard.press("m");
  return `${await questions.innerText()}\n${await command.innerText()}`;
}

inBrowser("the page of an image that a localised metric scored", (open) => {
  test("shows masks, what was looked at and every question, served and exported alike", async () => {
    const root = await temporaryDirectory();
    await makeConfusionRun(join(root, "run"), { count: 1, painters: ["a"] });
    const index = await openIndex(join(root, "run"));
    await index.refresh();
    const key = index.rows[0]?.key ?? "";
    const address = await servedStudio({ root, shown: "." });
    const page = await open(`${address}/runs/run/items/${key}`);
    const served = (await shown(page)).replaceAll(`${root}/`, "");
    expect(served).toContain("P(yes)");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(wider)).toBe(0);

    const environment = fakeEnvironment({ workingDirectory: root });
    const words = ["studio", "export", "run", "--out", "pages"];
    expect(await runCommandLine(words, environment)).toBe(0);
    const file = pathToFileURL(join(root, "pages", "index.html")).href;
    expect(await shown(await open(`${file}#/runs/.run/items/${key}`))).toBe(served);
  });
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/main.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { generatedRun } from "../support/generated-run.js";
import { servedStudio } from "../support/served-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { barriers } from "./accessibility.js";
import { inBrowser } from "./in-browser.js";

/** A run whose report was made, in a studio. */
async function reportedRun() {
  const root = await temporaryDirectory();
  await generatedRun(join(root, "generated"), { images: 80, side: 16 });
  const environment = fakeEnvironment({ workingDirectory: root });
  expect(await runCommandLine(["report", "generated"], environment)).toBe(0);
  const report = await readFile(join(root, "generated", "report.html"), "utf8");
  return { report, address: await servedStudio({ root, shown: "runs" }) };
}

inBrowser("the page of a run that was reported", (open) => {
  test("shows the verdict, its figure, and rows by what is chosen, which the address keeps", async () => {
    const { report, address } = await reportedRun();
    const page = await open(`${address}/runs/generated`);
    await page.locator(".plot img").waitFor();
    const drawn = () =>
      page.evaluate<boolean>("document.querySelector('.plot img').naturalWidth > 300");
    await expect.poll(drawn).toBe(true);
    const table = page.getByRole("region", { name: "Failure rates by domain" });
    const rows = table.locator("tbody tr");
    const all = await rows.count();
    await page.getByRole("combobox", { name: /^Metric/ }).selectOption("hps");
    await page.getByRole("combobox", { name: /^Domain/ }).selectOption("animals");
    await expect.poll(() => rows.count()).toBe(1);
    expect(all).toBeGreaterThan(20);
    const numbers = await rows.first().locator("td.number").allInnerTexts();
    expect(numbers).toHaveLength(9);
    expect(report).toContain(numbers.map((cell) => `<td class="number">${cell}</td>`).join(""));
    await page.getByText("Not shown, since their rows pool what is chosen").waitFor();
    expect(new URL(page.url()).search).toBe("?metric=hps&domain=animals");
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    await page.keyboard.press("x");
    await expect.poll(() => rows.count()).toBe(all);
    expect(new URL(page.url()).search).toBe("");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(wider)).toBe(0);
  });
});

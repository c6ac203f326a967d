import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startForms, startWords } from "../../src/cli/verbs/studio/start-forms.js";
import { servedStudio } from "../support/served-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { barriers } from "./accessibility.js";
import { inBrowser } from "./in-browser.js";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));
const token = "0123456789abcdef-token";

async function studioOver(table: string): Promise<string> {
  const root = await temporaryDirectory();
  await writeFile(join(root, "scores.csv"), table);
  return servedStudio({
    root,
    starts: {
      token,
      program: [process.execPath, bin],
      environment: process.env,
      forms: startForms,
      named: async () => ({ models: ["mine"], metrics: ["clip-score"] }),
      wordsOf: startWords,
    },
  });
}

// Loading every verb takes longer than a page waits where others use the machine.
await startForms();

inBrowser("starting and watching", (open) => {
  test("a form grows a command line, is started by the token's link, and ends at its verdict", async () => {
    const address = await studioOver("model,prompt,score\na,1,0.5\nb,1,0.7\n");
    const without = await open(`${address}/new?verb=analyze`);
    await without.getByLabel("File", { exact: true }).fill("scores.csv");
    await without.getByText("it carries the token").waitFor();
    expect(await without.getByRole("button", { name: "Start" }).isDisabled()).toBe(true);
    await without.close();

    const page = await open(`${address}/new?verb=analyze&token=${token}`);
    await page.getByText("Expected FILE for analyze but received nothing").waitFor();
    await page.getByLabel("File", { exact: true }).fill("scores.csv");
    await page.getByText("touchstone analyze scores.csv --out analysis.html").waitFor();
    await page.getByRole("cell", { name: "0.7" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Start" }).click();
    await page
      .getByRole("heading", { level: 1, name: /^b beats a|prompt/ })
      .waitFor({ timeout: 120_000 });
    expect(await barriers(page)).toEqual([]);
    const made = page.getByRole("link", { name: "Open its page" });
    expect(
      (
        await page.request.get(new URL((await made.getAttribute("href")) ?? "", address).href)
      ).status(),
    ).toBe(200);
    await page.getByRole("link", { name: "Jobs", exact: true }).first().click();
    await page.getByRole("row", { name: /analyze scores\.csv/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});

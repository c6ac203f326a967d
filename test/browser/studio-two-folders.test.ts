import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startForms, startWords } from "../../src/cli/verbs/studio/start-forms.js";
import { encodePng } from "../../src/images/pixels-picture.js";
import { servedStudio } from "../support/served-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { barriers } from "./accessibility.js";
import { inBrowser } from "./in-browser.js";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));
const token = "0123456789abcdef-token";
const prompts = 3;

/** Two folders of images of the same names: those of B are green. */
async function twoFolders(): Promise<string> {
  const root = await temporaryDirectory();
  for (const [folder, colour] of Object.entries({ a: [200, 0, 0], b: [0, 200, 0] })) {
    await mkdir(join(root, folder));
    for (let at = 1; at <= prompts; at++) {
      const data = Uint8Array.from({ length: 32 * 32 * 3 }, (_, place) =>
        Math.min(255, (colour[place % 3] ?? 0) + 9 * at),
      );
      await writeFile(
        join(root, folder, `thing ${at}.png`),
        encodePng({ width: 32, height: 32, data }),
      );
    }
  }
  return root;
}

/** The key of the green image of the pair that is shown. */
const greenKey = `(() => {
  const [first] = document.querySelectorAll(".sides .zoom img");
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  context.drawImage(first, 0, 0);
  const [red, green] = context.getImageData(4, 4, 1, 1).data;
  return green > red ? "1" : "2";
})()`;

// Loading every verb takes longer than a page waits where others use the machine.
await startForms();

inBrowser("two folders, in the studio alone", (open) => {
  test("a folder becomes a study, is served and answered, and ends at what people prefer", async () => {
    const address = await servedStudio({
      root: await twoFolders(),
      starts: {
        token,
        program: [process.execPath, bin],
        environment: process.env,
        forms: startForms,
        named: async () => ({ models: [], metrics: [] }),
        wordsOf: startWords,
      },
    });
    const page = await open(`${address}/?token=${token}`);
    const patience = { timeout: 120_000 };
    await page.getByRole("heading", { name: "No run here yet" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Begin" }).click();
    await page.getByText("Still empty: Two folders of images").waitFor();
    await page.getByLabel("folder or table of A").fill("a");
    await page.getByLabel("folder or table of B").fill("b");
    await page.getByLabel("Prompts to ask people about").fill(String(prompts));
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("link", { name: "Ask people: open the study" }).click(patience);
    await page.getByRole("button", { name: "Serve it" }).click();
    const own = page.getByRole("link", { name: "Answer it yourself" });
    await own.waitFor(patience);
    expect(await barriers(page)).toEqual([]);

    const asked = await open((await own.getAttribute("href")) ?? "");
    await asked.getByRole("button", { name: "I agree" }).click();
    for (let at = 1; at <= prompts; at++) {
      await asked.locator("main.item[aria-busy=false]").waitFor();
      const text = await asked.locator(".text").innerText();
      await asked.keyboard.press(await asked.evaluate<string>(greenKey));
      await asked.waitForFunction(
        (before) => document.querySelector(".text")?.textContent !== before,
        text,
      );
    }
    await asked.getByText("Thank you").waitFor();

    await page.getByText(`${prompts} of ${prompts} answers by 1 person.`).waitFor(patience);
    await page.getByRole("button", { name: "Stop serving" }).click();
    await page.getByRole("button", { name: "Serve it" }).waitFor(patience);
    await page.getByRole("button", { name: "Compare with these answers" }).click();
    await page
      .getByRole("heading", { level: 1, name: /^People prefer B in all of 3 pairs/ })
      .waitFor(patience);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("link", { name: "Open its page" }).waitFor();
    await page.getByRole("link", { name: "Runs", exact: true }).first().click();
    await page.getByRole("cell", { name: /^People prefer B in all of 3 pairs/ }).waitFor();
  });
});

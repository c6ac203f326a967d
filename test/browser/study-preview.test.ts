import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inBrowser } from "./in-browser.js";
import { isAsked, isShown, look, serveStudy } from "./study-pages.js";

const files = {
  "rating.csv": "id,image,text\nr1,0.png,A penguin beside two rocks\n",
  "study.yaml": `
title: Do these fit?
consent: I agree.
debrief: Thank you.
codes: {finished: C0DE-42, screenedOut: OUT-1, full: FULL-3, left: LEFT-7, failed: GOLD-5, declined: NO-9}
blocks:
  - {protocol: rating, from: rating.csv, ratingsPerItem: 1}
`,
};

const phone = { width: 390, height: 844, isTouch: true } as const;

/** Every file of a folder with its content. */
async function contentOf(folder: string): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const read = all
    .filter((one) => one.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return `${path} ${(await readFile(path)).toString("base64")}`;
    });
  return (await Promise.all(read)).sort();
}

inBrowser("the preview of a study", (open) => {
  it("says to who runs it that nothing is stored", async () => {
    const { admin } = await serveStudy(files, { preview: true });
    await isShown(await open(admin), /nothing is stored/);
  });

  it("lets everybody walk every page, ends included, and writes nothing", async () => {
    const { url, folder } = await serveStudy(files, { preview: true });
    const before = await contentOf(folder);
    for (const [view, size] of [
      ["laptop", {}],
      ["phone", phone],
    ] as const) {
      // By invitation only, and with one answer for each item: a preview lets in whoever comes.
      const page = await open(`${new URL(url).origin}/?participant=${view}`, size);
      await isShown(page, /nothing is stored/);
      await look(page, `${view}-preview-consent`);
      await page.getByRole("button", { name: /I agree/ }).click();
      if (view === "laptop") {
        await isAsked(page, /A penguin/);
        await look(page, `${view}-preview-item`);
        await page.keyboard.press("3");
        await isShown(page, /C0DE-42/);
      }
      await page.getByText("Beginning and ends").click();
      for (const [end, code] of [
        ["screened out", /OUT-1/],
        ["full", /FULL-3/],
        ["left", /LEFT-7/],
        ["gold items failed", /GOLD-5/],
        ["declined", /NO-9/],
        ["finished", /C0DE-42/],
      ] as const) {
        await page.getByRole("button", { name: `End: ${end}` }).click();
        await isShown(page, code);
      }
      await look(page, `${view}-preview-end`);
      await page.getByRole("button", { name: "Begin anew" }).click();
      await page.getByRole("button", { name: /I agree/ }).waitFor();
    }
    expect(await contentOf(folder)).toEqual(before);
  });
});

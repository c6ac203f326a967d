import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { openStudyFolder } from "../../src/studies/home/study-folder.js";
import { collect } from "../../src/studies/tables/counted-answers.js";
import { de } from "../../web/src/study/words/de.js";
import { en } from "../../web/src/study/words/en.js";
import { inBrowser } from "./in-browser.js";
import { isAsked, isShown, look, serveStudy } from "./study-pages.js";

const config = `
title: What do these images show?
open: true
retention: 2999-01-01
consent: |
  # What it is about
  You will see *images* and answer **two** questions about them:

  1. look at the image,
  2. choose an answer.

  > You may stop at any time, and read [more](https://example.org/more).

  <img src=x onerror=alert(1)> [a trap](javascript:alert(1)) and \`code\`

  - [ ] I am **18** or older.
  - [ ] I agree that my answers are kept.
warning: Some images may show clichés.
background:
  - {name: age, question: How old are you?, choices: [17 or younger, 18 or older]}
  - {name: art, question: Do you paint?, choices: ["yes", "no"]}
screening:
  - {name: age, accept: [18 or older]}
disclose: at-end
debrief: |
  ## Thank you
  All images were made by *computers*.
codes: {finished: C0DE-42, screenedOut: OUT-1, left: LEFT-7}
blocks:
  - {protocol: rating, from: rating.csv, ratingsPerItem: 9}
`;

const files = {
  "rating.csv": "id,image,text\nr1,0.png,A penguin beside two rocks\nr2,1.png,A red car\n",
  "study.yaml": config,
};

const phone = { width: 390, height: 844, isTouch: true } as const;

inBrowser("the beginning and the ends of a study", (open) => {
  it.each(["en", "de"])("says what to do where the page fails: %s", async (language) => {
    const { url } = await serveStudy({
      ...files,
      "study.yaml": `language: ${language}\n${config}`,
    });
    const page = await open(`${url}/?PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=r`);
    await isShown(page, /What it is about/);
    await page.route("**/api/consent", (route) => route.fulfill({ body: "no JSON" }));
    for (const box of await page.locator('[name="consent-box"]').all()) await box.check();
    await page.locator('form button[type="submit"]').first().click();
    const { broken, again } = language === "de" ? de : en;
    await page.getByText(broken).waitFor();
    expect(await page.getByRole("alert").textContent()).not.toMatch(/JSON|token/);
    await page.unroute("**/api/consent");
    await page.getByRole("button", { name: again }).click();
    await isShown(page, /What it is about/);
  });

  it("asks for each box of a formatted consent, screens once, and erases at the end", async () => {
    const { url, folder } = await serveStudy(files);
    for (const [view, size] of [
      ["laptop", {}],
      ["phone", phone],
    ] as const) {
      const page = await open(`${url}/?PROLIFIC_PID=${view}&STUDY_ID=s&SESSION_ID=r`, size);
      const press = (name: RegExp | string) => page.getByRole("button", { name }).first().click();
      await isShown(page, /What it is about/);
      expect(await page.locator("ol li").count()).toBe(2);
      expect(await page.locator("form img, form script").count()).toBe(0);
      const links = await page
        .locator("form a")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      expect(links).toEqual(["https://example.org/more"]);
      await look(page, `${view}-formatted-consent`);
      await press(/I agree/);
      await page.getByLabel(/18 or older/).check();
      await press(/I agree/);
      // One box is not ticked yet: it has the focus, and nothing was sent.
      expect(await page.locator("input:focus").getAttribute("name")).toBe("consent-box");
      await page.getByLabel(/answers are kept/).check();
      const copying = page.waitForEvent("download");
      await press(/Save a copy/);
      const copy = await readFile(await (await copying).path(), "utf8");
      expect(copy).toContain("- [ ] I am **18** or older.");
      expect(copy).toMatch(/p-[a-z]{10}/);
      await press(/I agree/);

      await isShown(page, /How old are you/);
      expect(await page.locator("input:checked").count()).toBe(0);
      expect(await page.getByLabel("No answer").count()).toBe(1);
      await look(page, `${view}-needed-background`);
      await page.getByLabel("18 or older").check();
      await press(/Continue/);
      await isShown(page, /How old are you/);
      await page.getByLabel("No answer").check();
      await press(/Continue/);

      await isAsked(page, /How well does the image show/);
      await look(page, `${view}-loud-answers`);
      await page.keyboard.press("3");
      await isAsked(page, /2 of 2/);
      await page.keyboard.press("4");
      await isShown(page, /C0DE-42/);
      await isShown(page, /made by computers/);
      await look(page, `${view}-whole-end`);
      const before = await collect(await openStudyFolder(folder));
      expect([...before.state.participants.values()]).toMatchObject([
        { outside: { source: "prolific", id: view, study: "s", session: "r" } },
      ]);
      await page.reload();
      await isShown(page, /C0DE-42/);
      await press("Erase my answers");
      await look(page, `${view}-erase`);
      await page.getByRole("dialog").getByRole("button", { name: "Erase my answers" }).click();
      await isShown(page, /All your answers were erased/);
      await isShown(page, /C0DE-42/);
      const { answers, state } = await collect(await openStudyFolder(folder));
      expect([answers, [...state.participants]]).toEqual([[], []]);
    }
  });

  it("tells who is screened out why, once for all, and who leaves how to be erased later", async () => {
    const { url } = await serveStudy(files);
    const consented = async (id: string, age: string) => {
      const page = await open(`${url}/?PROLIFIC_PID=${id}`, { isRefused: true });
      await page.getByLabel(/18 or older/).check();
      await page.getByLabel(/answers are kept/).check();
      await page.getByRole("button", { name: /I agree/ }).click();
      await page.getByLabel(age).check();
      await page.getByLabel("yes").check();
      await page.getByRole("button", { name: /Continue/ }).click();
      return page;
    };
    const out = await consented("young", "17 or younger");
    await isShown(out, /looks for other participants/);
    await isShown(out, /OUT-1/);
    await isShown(out, /made by computers/);
    await look(out, "laptop-screened-out");
    await out.evaluate(() => localStorage.clear());
    await out.reload();
    await isShown(out, /looks for other participants/);
    expect(await out.getByText("I agree").count()).toBe(0);

    const left = await consented("leaving", "18 or older");
    await left.getByRole("button", { name: "Leave the study" }).click();
    await left.getByRole("button", { name: /keep my answers/ }).click();
    await isShown(left, /Your answers so far are kept/);
    await isShown(left, /LEFT-7/);
    await left.reload();
    await isShown(left, /You have left/);
    await left.getByRole("button", { name: "Erase my answers" }).waitFor();
  });

  it("shows what a task is about where nobody accepted it, and refuses a name in braces", async () => {
    const { url, folder } = await serveStudy(files);
    const page = await open(`${url}/?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h`);
    await isShown(page, /What it is about/);
    await isShown(page, /Accept it to take part/);
    expect(await page.getByText("I agree and").count()).toBe(0);
    await look(page, "laptop-only-looking");
    const other = await open(`${url}/?PROLIFIC_PID={{%PROLIFIC_PID%}}`, { isRefused: true });
    await isShown(other, /in place of an id/);
    expect((await collect(await openStudyFolder(folder))).state.participants.size).toBe(0);
  });

  it("warns while gold items are missed, and lets erase where the page itself fails", async () => {
    const { url, folder } = await serveStudy({
      "rating.csv": files["rating.csv"],
      "gold.csv": "id,image,text,value\ng1,2.png,A blue bus,1\n",
      "study.yaml": `title: Gold\nopen: true\nconsent: I agree.\ngoldCheck: {after: 1, warnBelow: 0.9}\nblocks:\n  - {protocol: rating, from: rating.csv, ratingsPerItem: 9, gold: gold.csv}\n`,
    });
    for (const [view, size] of [
      ["laptop", {}],
      ["phone", phone],
    ] as const) {
      const page = await open(`${url}/?participant=${view}`, size);
      await page.getByRole("button", { name: /I agree/ }).click();
      for (const at of [1, 2, 3]) {
        await isAsked(page, new RegExp(`${at} of 3`));
        if ((await page.getByRole("alert").count()) > 0) break;
        await page.keyboard.press("4");
      }
      await isShown(page, /take your time/);
      // Nothing ends it here.
      expect(await page.getByText(/ends early/).count()).toBe(0);
      await look(page, `${view}-gold-warning`);

      await page.route("**/api/next", (route) => route.fulfill({ body: "not JSON" }));
      await page.keyboard.press("4");
      await page.getByRole("button", { name: "Try again" }).waitFor();
      await look(page, `${view}-failed`);
      await page.getByRole("button", { name: "Erase my answers" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Erase my answers" }).click();
      await isShown(page, /All your answers were erased/);
    }
    expect((await collect(await openStudyFolder(folder))).state.participants.size).toBe(0);
  });
});

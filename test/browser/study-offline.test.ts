import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/main.js";
import { openStudyFolder } from "../../src/studies/home/study-folder.js";
import { collect } from "../../src/studies/tables/counted-answers.js";
import { makeAuditRun } from "../report/audit-run.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { inBrowser } from "./in-browser.js";
import { isAsked, isShown, look, studyFiles } from "./study-pages.js";

const files = {
  "rating.csv":
    "id,image,text\nr1,0.png,A penguin beside two rocks\nr2,1.png,A red car\nr3,2.png,A bus\n",
  "gold.csv": "id,image,text,value\ng1,2.png,A blue bus,1\n",
  "practice.csv": "id,image,text,value,feedback\nt1,1.png,A practice car,4,It shows one.\n",
  "pairs.csv":
    "id,image_a,image_b,caption,model_a,model_b\np1,0.png,1.png,A duck,m1,m2\np2,2.png,3.png,A cat,m1,m2\n",
  "study.yaml": `
title: What do these images show?
seed: 7
consent: |
  You will see images.

  - [ ] I am **18** or older.
disclose: at-end
debrief: All images were made by computers.
background:
  - {name: age, question: How old are you?, choices: [young, old]}
blocks:
  - {protocol: rating, from: rating.csv, ratingsPerItem: 2, itemsPerParticipant: 2, gold: gold.csv, practice: practice.csv, repeats: 1}
  - {protocol: pairwise, from: pairs.csv, ratingsPerItem: 2}
`,
};

/** The file that a click on this button saves. */
async function saved(page: Page, name: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name }).click(),
  ]);
  return {
    name: download.suggestedFilename(),
    text: await readFile(await download.path(), "utf8"),
  };
}

inBrowser("a study as a page of its own", (open) => {
  it.each([
    ["laptop", {}],
    ["phone", { width: 390, height: 844, isTouch: true }],
  ] as const)(
    "is answered without a server on a %s, kept over a reload, saved, and read back",
    async (view, size) => {
      const { workingDirectory } = await studyFiles(files);
      const environment = { ...fakeEnvironment({ workingDirectory }), now: () => new Date() };
      const touchstone = async (words: string) =>
        expect(
          await runCommandLine(words.split(" "), environment),
          environment.written.stderr,
        ).toBe(0);
      await touchstone("study create study.yaml --run first");
      await touchstone("study page first --page 1 --out page.html");
      const page = await open(pathToFileURL(join(workingDirectory, "page.html")).href, size);

      await isShown(page, /You will see images/);
      await look(page, `${view}-offline-consent`);
      await page.getByRole("checkbox").check();
      await page.getByRole("button", { name: /I agree/ }).click();
      await page.getByRole("radio", { name: "old" }).check();
      await page.getByRole("button", { name: /Continue/ }).click();
      await isAsked(page, /Practice 1 of 1/);
      await page.keyboard.press("4");
      await isShown(page, /That is the expected answer/);
      await isShown(page, /It shows one/);
      // Whoever clicks twice on the answer has not read this.
      await page.getByRole("button", { name: /Continue/ }).click({ delay: 400 });
      for (const at of [1, 2, 3, 4]) {
        await isAsked(page, new RegExp(`${at} of 6`));
        if (at === 2) {
          await look(page, `${view}-offline-item`);
          const half = JSON.parse((await saved(page, "Save the answers so far")).text);
          expect(half.answers).toHaveLength(2);
          await page.reload();
          await isAsked(page, /2 of 6/);
          await page.keyboard.press("Backspace");
          await isAsked(page, /1 of 6/);
          await page.keyboard.press("1");
          await isAsked(page, /2 of 6/);
        }
        await page.keyboard.press("3");
      }
      await isAsked(page, /5 of 6/);
      await look(page, `${view}-offline-pair`);
      await page.keyboard.press("1");
      await isAsked(page, /6 of 6/);
      await page.keyboard.press(" ");
      await isShown(page, /Thank you. You have finished/);
      await isShown(page, /made by computers/);
      await look(page, `${view}-offline-end`);
      const { name, text } = await saved(page, "Save my answers as a file");
      expect(name).toMatch(/^answers-p-[a-z]{10}\.json$/);
      await writeFile(join(workingDirectory, name), text);

      await touchstone(`study import first ${name}`);
      const { state, answers } = await collect(
        await openStudyFolder(join(workingDirectory, "first")),
      );
      const [person] = state.participants.values();
      expect(`answers-${person?.id}.json`).toBe(name);
      expect(person).toMatchObject({ isFinished: true, background: { age: "old" } });
      expect(answers.map(({ kind }) => kind).sort()).toEqual([
        ...["gold", "item", "item", "item", "item", "repeat"],
      ]);
      expect(answers.filter(({ answer }) => answer === null)).toHaveLength(1);
      expect(answers.filter(({ answer }) => answer?.value === 1)).toHaveLength(1);
      for (const { answer, milliseconds } of answers) {
        if (answer !== null) expect(milliseconds).toBeGreaterThan(0);
      }

      await page.reload();
      await isShown(page, /You have finished/);
      const consent = await saved(page, "Save a copy of the consent text");
      expect(consent.text).toContain(String(person?.id));
      expect(consent.text).not.toMatch(/file:|null/);
      await page.getByRole("button", { name: "Erase my answers" }).click();
      await isShown(page, /A file that you gave away still holds them/);
      await page.getByRole("dialog").getByRole("button", { name: "Erase my answers" }).click();
      await isShown(page, /All your answers were erased/);
      await page.reload();
      await isShown(page, /You will see images/);
    },
  );

  it.each([
    ["laptop", {}],
    ["phone", { width: 390, height: 844, isTouch: true }],
  ] as const)("is an audit's labelling sheet on a %s, question by question", async (view, size) => {
    const workingDirectory = await temporaryDirectory();
    await makeAuditRun(join(workingDirectory, "run"), { count: 4, trials: 1 });
    const environment = fakeEnvironment({ workingDirectory });
    const touchstone = async (words: string) =>
      expect(await runCommandLine(words.split(" "), environment), environment.written.stderr).toBe(
        0,
      );
    await touchstone("study page --audit run --sets 2 --out sheet.html");
    const page = await open(pathToFileURL(join(workingDirectory, "sheet.html")).href, size);
    await look(page, `${view}-sheet-consent`);
    await page.getByRole("button", { name: /I agree/ }).click();
    for (const name of ["", "Anna B.", "anna"]) {
      await isShown(page, /Your name/);
      await page.getByRole("textbox").fill(name);
      await page.getByRole("button", { name: /Continue/ }).click();
    }
    await isAsked(page, /^1 of/);
    await look(page, `${view}-sheet-item`);
    for (const [at, key] of ["y", "n", "?"].entries()) {
      await isAsked(page, new RegExp(`^${at + 1} of`));
      await page.keyboard.press(key);
    }
    await isAsked(page, /^4 of/);
    const { text } = await saved(page, "Save the answers so far");
    await writeFile(join(workingDirectory, "anna.json"), text);
    await touchstone("study page --audit run --collect anna.json --out labelled.csv");
    const rows = (await readFile(join(workingDirectory, "labelled.csv"), "utf8")).split("\n");
    expect(rows[0]).toMatch(/,anna$/);
    expect(rows.filter((row) => /,[01]$/.test(row))).toHaveLength(2);
  });

  it("says in its language that it was left, and calls undecided what it is: a tie", async () => {
    const { workingDirectory } = await studyFiles({
      "pairs.csv": files["pairs.csv"],
      "practice.csv": "id,image_a,image_b,value\nt1,0.png,1.png,tie\n",
      "study.yaml":
        "title: Bilder\nlanguage: de\nconsent: Gut.\nblocks:\n  - {protocol: pairwise, from: pairs.csv, tie: undecided, practice: practice.csv}\n",
    });
    const environment = fakeEnvironment({ workingDirectory });
    for (const words of ["study create study.yaml --run one", "study page one --out page.html"]) {
      expect(await runCommandLine(words.split(" "), environment), environment.written.stderr).toBe(
        0,
      );
    }
    const page = await open(pathToFileURL(join(workingDirectory, "page.html")).href);
    await page.getByRole("button", { name: /willige/ }).click();
    await isShown(page, /Übung|Probe/);
    await page.getByRole("button", { name: /nentschieden/ }).click();
    await isShown(page, /erwartete Antwort/);
    await page.getByRole("button", { name: "Studie verlassen" }).click();
    await page.getByRole("button", { name: /bisherige Antworten behalten/ }).click();
    await page.reload();
    await isShown(page, /Sie haben die Studie verlassen/);
  });
});

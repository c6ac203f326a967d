import { expect, it } from "vitest";
import { openStudyFolder } from "../../src/studies/home/study-folder.js";
import { collect } from "../../src/studies/tables/counted-answers.js";
import { wholeTable } from "../../src/studies/tables/export-table.js";
import { inBrowser } from "./in-browser.js";
import { isAsked, isShown, look, serveStudy, tabTo } from "./study-pages.js";

const blocks = `
  - {protocol: rating, from: rating.csv, ratingsPerItem: 9, practice: practice.csv, gold: gold.csv}
  - {protocol: pairwise, from: pairs.csv, ratingsPerItem: 9, practice: practice-pairs.csv}
`;

const files = {
  "rating.csv": "id,image,text\nr1,0.png,A penguin beside two rocks\n",
  "gold.csv": "id,image,text,value\ng1,1.png,A red car,4\n",
  "practice.csv":
    "id,image,text,value,feedback\np1,2.png,A blue bus,1,Nothing of the text is on the **image**.\np2,3.png,A green tree,4,\n",
  "pairs.csv": "id,image_a,image_b\nq1,0.png,1.png\n",
  "practice-pairs.csv": "id,image_a,image_b,value\nd1,2.png,3.png,b\n",
};

const phone = { width: 390, height: 844, isTouch: true } as const;

inBrowser("practice items", (open) => {
  it("come first, once, and tell what was expected; their answers count nowhere", async () => {
    const { url, folder } = await serveStudy({
      ...files,
      "study.yaml": `title: Do these fit?\nopen: true\nconsent: I agree.\ngoldCheck: {after: 1, endBelow: 0.5}\nblocks:${blocks}`,
    });
    for (const [view, size] of [
      ["laptop", {}],
      ["phone", phone],
    ] as const) {
      const page = await open(`${url}/?participant=${view}`, size);
      await page.getByRole("button", { name: /I agree/ }).click();
      await isAsked(page, /A blue bus/);
      await isShown(page, /Practice 1 of 2/);
      await isShown(page, /for practice/);
      expect(await page.getByRole("button", { name: /Back/ }).isDisabled()).toBe(true);
      await look(page, `${view}-practice`);
      await page.keyboard.press("4");
      await isShown(page, /Another answer was expected/);
      await isShown(page, /Your answer: Completely/);
      await isShown(page, /Expected: Not at all/);
      expect(await page.locator(".feedback strong, .feedback b").allInnerTexts()).toContain(
        "image",
      );
      // What tells it has the focus, so that it is read out; the item beneath can't be answered again.
      expect(await page.locator(".feedback:focus").count()).toBe(1);
      expect(await page.locator(".answers button:enabled").count()).toBe(0);
      await look(page, `${view}-practice-wrong`);
      const goOn = page.getByRole("button", { name: /Continue/ });
      if (view === "laptop") await tabTo(page, /Continue/);
      // A press in the first moment counts for nothing, as that of a double click.
      await expect
        .poll(async () => {
          if ((await goOn.count()) === 0) return true;
          await (view === "laptop" ? page.keyboard.press("Enter") : goOn.tap());
          return false;
        })
        .toBe(true);
      await isAsked(page, /A green tree/);
      // Nobody is told twice: what was answered is over, what is open comes again.
      await page.reload();
      await isAsked(page, /A green tree/);
      await page.keyboard.press("4");
      await isShown(page, /That is the expected answer/);
      await isShown(page, /practice ends here/);
      await look(page, `${view}-practice-right`);
      await page.reload();
      await isAsked(page, /1 of 3/);
      expect(await page.getByText(/for practice/).count()).toBe(0);
      for (const place of [/1 of 3/, /2 of 3/]) {
        await isAsked(page, place);
        await page.keyboard.press("4");
      }
      await isAsked(page, /Practice 1 of 1/);
      await page.keyboard.press("Space");
      await isShown(page, /You skipped this one/);
      await isShown(page, /Expected: Second/);
      await look(page, `${view}-practice-skipped`);
      await page.getByRole("button", { name: /Continue/ }).click({ delay: 400 });
      await isAsked(page, /3 of 3/);
      await page.keyboard.press("ArrowLeft");
      await isShown(page, /You have finished/);
    }
    const home = await openStudyFolder(folder);
    const { answers, state } = await collect(home);
    const kinds = [...state.participants.values()].map(({ assignments }) =>
      [...assignments.values()].map(({ assignment: { kind, item } }) => `${kind} ${item}`).sort(),
    );
    const own = ["gold g1", "item q1", "item r1", "practice d1", "practice p1", "practice p2"];
    expect(kinds).toEqual([own, own]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual([
      "gold",
      "gold",
      ...Array.from({ length: 4 }, () => "item"),
    ]);
    const all = wholeTable(home.study, {
      state,
      table: "all",
      block: undefined,
      without: new Set(),
      collected: "served",
    });
    expect(all.length).toBe(answers.length);
  });

  it("say it in German", async () => {
    const { url } = await serveStudy({
      ...files,
      "study.yaml": `title: Passt das?\nlanguage: de\nopen: true\nconsent: Ich bin einverstanden.\nblocks:${blocks}`,
    });
    const page = await open(`${url}/?participant=x`, phone);
    await page.getByRole("button", { name: /Ich willige ein/ }).tap();
    await isAsked(page, /Übung 1 von 2/);
    await page.getByRole("button", { name: "Gar nicht" }).tap();
    await isShown(page, /Das ist die erwartete Antwort/);
    await isShown(page, /Erwartet: Gar nicht/);
    await look(page, "phone-practice-german");
  });
});

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openStudyFolder } from "../../src/studies/home/study-folder.js";
import { collect } from "../../src/studies/tables/counted-answers.js";
import { inBrowser } from "./in-browser.js";
import { images, isAsked, isShown, look, serveStudy } from "./study-pages.js";

const texts = images.map((image, at) => `r${at},${image},A penguin beside ${at + 1} rocks`);
const rows = ["id,image,text", ...texts, ""].join("\n");
const levels = (from: number, to: number) =>
  JSON.stringify(
    Array.from({ length: to - from + 1 }, (_, at) => ({
      value: from + at,
      label: String(from + at),
    })),
  );

/** Serves a study of one block that needs no questions before it. */
const oneBlock = (
  block: string,
  files: Readonly<Record<string, string>> = { "rating.csv": rows },
) =>
  serveStudy({
    ...files,
    "study.yaml": `title: Items\nopen: true\nconsent: I agree.\nblocks:\n  - {ratingsPerItem: 1, ${block}}\n`,
  });

const mental = {
  "mental.csv": `query,model,image\n${images
    .map((image, at) => `a photo of a nurse,model-${at % 2},${image}`)
    .join("\n")}\n`,
};

async function given(folder: string) {
  const { answers } = await collect(await openStudyFolder(folder));
  return answers.map(({ answer }) => answer);
}

/** Agrees to take part. */
const agree = (page: Page) => page.getByRole("button", { name: /I agree/ }).click();

/** Holds back what the page asks for below an address, until what is returned is called. */
async function held(page: Page, pattern: string): Promise<() => void> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await gate;
    await route.continue();
  });
  return release;
}

inBrowser("an item of a study", (open) => {
  it("has no keys where two of them would be one answer, and is answered by its buttons", async () => {
    const { url, folder } = await oneBlock(
      `protocol: rating, from: rating.csv, levels: ${levels(0, 10)}`,
    );
    const page = await open(`${url}/?PROLIFIC_PID=one`);
    await agree(page);
    await isAsked(page, /1 of 4/);
    await look(page, "laptop-eleven");
    for (const key of ["1", "0", "-", "5"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "10", exact: true }).click();
    await isAsked(page, /2 of 4/);
    expect(await given(folder)).toEqual([{ value: 10 }]);
    await page.keyboard.press("Tab");
    for (let at = 0; at < 10; at++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await isAsked(page, /3 of 4/);
    expect(await given(folder)).toEqual([{ value: 10 }, { value: 9 }]);
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, "phone-eleven");
  });

  it("takes no digit for a level below 0", async () => {
    const { url, folder } = await oneBlock(
      `protocol: likert, from: rating.csv, levels: ${levels(-1, 1)}`,
    );
    const page = await open(`${url}/?PROLIFIC_PID=one`);
    await agree(page);
    await isAsked(page, /1 of 4/);
    for (const key of ["-", "1", "0"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "-1", exact: true }).click();
    await isAsked(page, /2 of 4/);
    expect(await given(folder)).toEqual([{ value: -1 }]);
  });

  it("is answered by no key before its image is shown, and timed from then", async () => {
    const { url, folder } = await oneBlock(
      "protocol: rating, from: rating.csv, guide: Look at the image first.",
    );
    const page = await open(`${url}/?PROLIFIC_PID=one`);
    const release = await held(page, "**/api/images/*");
    await agree(page);
    await isShown(page, /Look at the image first/);
    await page.getByRole("button", { name: /Continue/ }).click();
    await isShown(page, /1 of 4/);
    for (const key of ["3", " "]) await page.keyboard.press(key);
    await expect.poll(() => page.locator("fieldset:disabled").count()).toBe(1);
    const from = performance.now();
    release();
    await isAsked(page, /1 of 4/);
    // Twice at once: the second is for nobody.
    await Promise.all([page.keyboard.press("4"), page.keyboard.press("4")]);
    await isAsked(page, /2 of 4/);
    const to = performance.now();
    await page.getByRole("button", { name: /Mostly/ }).dblclick();
    await isAsked(page, /3 of 4/);
    const { answers } = await collect(await openStudyFolder(folder));
    expect(answers.map(({ answer }) => answer)).toEqual([{ value: 4 }, { value: 3 }]);
    const [first] = answers;
    expect(first?.milliseconds).toBeGreaterThanOrEqual(300);
    expect(first?.milliseconds).toBeLessThan(to - from);
  });

  it("is answered only after its minimum viewing time", async () => {
    const { url, folder } = await oneBlock(
      "protocol: rating, from: rating.csv, minimumSeconds: 1.5",
    );
    const page = await open(`${url}/?PROLIFIC_PID=one`);
    await agree(page);
    await isShown(page, /look at it for a moment/);
    await page.keyboard.press("3");
    await look(page, "laptop-minimum");
    await page.getByRole("button", { name: /Partly/ }).click();
    await isAsked(page, /2 of 4/);
    const { answers } = await collect(await openStudyFolder(folder));
    expect(answers.map(({ answer }) => answer)).toEqual([{ value: 2 }]);
    expect(answers[0]?.milliseconds).toBeGreaterThanOrEqual(1500);
  });

  it("whose image is gone says so and can be skipped", async () => {
    const { url, folder } = await oneBlock("protocol: rating, from: rating.csv");
    const page = await open(`${url}/?PROLIFIC_PID=one`, { isCutOff: true });
    let isGone = true;
    await page.route("**/api/images/*", (route) =>
      isGone ? route.fulfill({ status: 200, body: "no image" }) : route.continue(),
    );
    await agree(page);
    await isShown(page, /can't be shown/);
    await look(page, "laptop-no-image");
    await page.keyboard.press("3");
    isGone = false;
    await page.getByRole("button", { name: /Skip/ }).click();
    await isShown(page, /2 of 4/);
    expect(await given(folder)).toEqual([null]);
  });

  it("is found as it was left after a reload, and the browser's way back goes back in it", async () => {
    const { url, folder } = await oneBlock("protocol: mental-image, from: mental.csv", mental);
    const page = await open(`${url}/?PROLIFIC_PID=one`);
    await agree(page);
    await page.getByLabel(/Describe what/).fill("A person in white.");
    const sheet = page.getByRole("application");
    await sheet.focus();
    for (const key of [" ", "Shift+ArrowUp", "ArrowRight", " "]) await page.keyboard.press(key);
    await page.getByText("Add a note").click();
    await page.getByLabel(/why you skip/).fill("I was a nurse.");
    await page.getByRole("button", { name: "Next" }).click();
    await isShown(page, /Images A/);
    await page.getByLabel(/stereotypes/).fill("They look alike.");
    await page.reload();
    await isAsked(page, /Images A/);
    expect(await page.getByLabel(/stereotypes/).inputValue()).toBe("They look alike.");
    expect(await page.getByLabel(/why you skip/).inputValue()).toBe("I was a nurse.");
    await page.goBack();
    await isAsked(page, /Describe what/);
    expect(await page.getByLabel(/Describe what/).inputValue()).toBe("A person in white.");
    expect(await page.locator(".sketch path").count()).toBe(1);
    for (const title of [/Images A/, /Images B/, /All images together/]) {
      await page.getByRole("button", { name: "Next" }).click();
      await isAsked(page, title);
    }
    await page.getByRole("button", { name: "Send" }).click();
    await isShown(page, /You have finished/);
    const { answers, state } = await collect(await openStudyFolder(folder));
    expect(answers).toMatchObject([
      { answer: { words: "A person in white." }, note: "I was a nurse." },
    ]);
    expect(JSON.stringify(answers[0]?.answer)).toContain("They look alike.");
    expect([...state.participants.values()].map(({ drafts }) => drafts)).toEqual([{}]);
  });

  it("says where one is, has the focus at its beginning, and is left as it was by who only looks back", async () => {
    const { url, folder } = await oneBlock("protocol: rating, from: rating.csv");
    const page = await open(`${url}/?PROLIFIC_PID=one`);
    await agree(page);
    const where = () => page.locator('[role="status"]').first().textContent();
    for (const [at, key] of ["2", "3"].entries()) {
      await isAsked(page, new RegExp(`${at + 1} of 4`));
      expect(await where()).toBe(`${at + 1} of 4`);
      expect(await page.evaluate(() => document.activeElement?.className)).toBe("item");
      await page.keyboard.press(key);
    }
    await isAsked(page, /3 of 4/);
    await page.keyboard.press("Backspace");
    await isAsked(page, /2 of 4/);
    await page.goBack();
    await isAsked(page, /1 of 4/);
    await look(page, "laptop-earlier");
    expect(await page.getByRole("button", { name: /^Back/ }).isDisabled()).toBe(true);
    // Space keeps what was answered, and goes where one was.
    await page.keyboard.press(" ");
    await isAsked(page, /3 of 4/);
    expect(await given(folder)).toEqual([{ value: 2 }, { value: 3 }]);
    // What was answered before a reload is gone back to as well.
    await page.reload();
    await isAsked(page, /3 of 4/);
    await page.keyboard.press("Backspace");
    await isAsked(page, /2 of 4/);
    await page.locator('button[aria-pressed="true"]', { hasText: "Mostly" }).waitFor();
  });

  it("stands on one grey in all colours, with its answers in one row or in one list", async () => {
    const { url } = await oneBlock("protocol: likert, from: rating.csv");
    const greys: (string | undefined)[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open(`${url}/?PROLIFIC_PID=${colorScheme}`, { colorScheme });
      await agree(page);
      await isAsked(page, /1 of 4/);
      greys.push(
        await page.locator(".image").evaluate((one) => getComputedStyle(one).backgroundColor),
      );
      for (const width of [1280, 900, 700, 600, 500, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const boxes = await page.locator(".answers button").evaluateAll((buttons) =>
          buttons.map((button) => {
            const { left, top, width: own } = button.getBoundingClientRect();
            return { left, top, width: Math.round(own) };
          }),
        );
        expect(new Set(boxes.map((box) => box.width)).size, `${width}`).toBe(1);
        const lines = new Set(boxes.map(({ top }) => top)).size;
        expect([1, boxes.length], `${width}`).toContain(lines);
      }
      await look(page, `list-${colorScheme}`);
    }
    expect(greys).toEqual(["rgb(119, 119, 119)", "rgb(119, 119, 119)"]);
  });
});

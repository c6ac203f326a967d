import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openStudyFolder } from "../../src/studies/home/study-folder.js";
import { collect } from "../../src/studies/tables/counted-answers.js";
import { inBrowser } from "./in-browser.js";
import { images, isAsked, isShown, look, serveStudy, tabTo } from "./study-pages.js";

const list = JSON.stringify(images).replaceAll('"', '""');

const tables: Readonly<Record<string, string>> = {
  "rating.csv":
    "id,image,text\nr1,0.png,A penguin beside two rocks\nr2,1.png,A penguin beside three rocks\n",
  "localized.csv":
    "id,image,entity,attribute,kind,box\n" +
    'l1,0.png,shirt,striped,reflection,"[40, 40, 80, 100]"\nl2,1.png,shirt,dotted,leakage,"[10, 10, 50, 50]"\n',
  "pairs.csv":
    "id,caption,image_a,image_b,model_a,model_b\np1,A penguin beside two rocks,0.png,1.png,x,y\n" +
    "p2,A red car,2.png,3.png,x,y\n",
  "rubric.csv":
    `id,query,item,definition,examples,images\nb1,a photo of a nurse,clothing,Clothes of one kind for all,` +
    `all in white,"${list}"\n`,
  "mental.csv": `query,model,image\n${images
    .map((image, at) => `a photo of a nurse,model-${at % 2},${image}`)
    .join("\n")}\n`,
};

const config = `
title: What do these images show?
open: true
consent: |
  # What it is about
  You will see images and answer questions about them. You may stop at any time.

  Nothing is kept that says who you are.
warning: Some images may show clichés.
background:
  - {name: age, question: How old are you?, choices: [18 to 39, 40 or older]}
disclose: at-end
debrief: Thank you. All images were made by computers.
codes: {finished: C0DE-42}
blocks:
  - {protocol: rating, from: rating.csv, ratingsPerItem: 2, guide: Look at the image first.}
  - {protocol: likert, from: rating.csv, ratingsPerItem: 2}
  - {protocol: localized, from: localized.csv, ratingsPerItem: 2, view: box}
  - {protocol: pairwise, from: pairs.csv, ratingsPerItem: 2, why: true}
  - {protocol: rubric, from: rubric.csv, ratingsPerItem: 2}
  - {protocol: mental-image, from: mental.csv, ratingsPerItem: 2}
`;

/** Goes through all of the study by keyboard alone. */
async function takePart(page: Page, view: string): Promise<void> {
  await isShown(page, /What it is about/);
  await look(page, `${view}-consent`);
  await tabTo(page, /I agree/);
  await page.keyboard.press("Enter");
  await isShown(page, /How old are you/);
  await look(page, `${view}-background`);
  await tabTo(page, /18 to 39|No answer/);
  await page.keyboard.press("ArrowDown");
  await tabTo(page, /Continue/);
  await page.keyboard.press("Enter");
  await isShown(page, /Look at the image first/);
  await tabTo(page, /Continue/);
  await page.keyboard.press("Enter");

  await isAsked(page, /How well does the image show/);
  await look(page, `${view}-rating`);
  await page.keyboard.press("4");
  await isAsked(page, /2 of 10/);
  await page.keyboard.press("Backspace");
  await page.locator('button[aria-pressed="true"]', { hasText: "Completely" }).waitFor();
  await isAsked(page, /1 of 10/);
  await page.keyboard.press("3");
  await page.locator('button[aria-pressed="true"]').waitFor({ state: "detached" });
  await isAsked(page, /2 of 10/);
  await page.keyboard.press("1");
  await isAsked(page, /match the whole text/);
  await look(page, `${view}-likert`);
  await page.keyboard.press("5");
  await isAsked(page, /4 of 10/);
  await page.keyboard.press(" ");
  await isAsked(page, /Does the image show/);
  await look(page, `${view}-localized`);
  await page.keyboard.press("y");
  await isAsked(page, /6 of 10/);
  await page.keyboard.press("?");
  await isAsked(page, /Which one shows/);
  await look(page, `${view}-pairwise`);
  await page.keyboard.press("1");
  await page.keyboard.type("sharper");
  await page.keyboard.press("Enter");
  await isAsked(page, /8 of 10/);
  await page.keyboard.press("t");
  await page.keyboard.press("Enter");
  await isAsked(page, /Clothes of one kind/);
  await page.keyboard.press("2");
  await look(page, `${view}-rubric`);
  await page.keyboard.press("y");
  await isAsked(page, /what you expect to see/);
  await tabTo(page, /Describe what/);
  await page.keyboard.type("A person in white.");
  // A sketch by keys: to the sheet, the pen down, a corner, and up again.
  await tabTo(page, /Sheet to sketch on/);
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press(" ");
  for (const key of ["Shift+ArrowUp", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await page.keyboard.press(" ");
  await look(page, `${view}-mental-image`);
  for (const title of [/Images A/, /Images B/, /All images together/]) {
    await tabTo(page, /^Next/);
    await page.keyboard.press("Enter");
    await isAsked(page, title);
    await look(page, `${view}-mental-${title.source.replaceAll(" ", "-")}`);
  }
  await tabTo(page, /^Send/);
  await page.keyboard.press("Enter");
  await isShown(page, /C0DE-42/);
  await isShown(page, /made by computers/);
  await look(page, `${view}-end`);
}

/** Goes through all of the study by taps alone, as on a phone; the sketch is drawn with a finger. */
async function takePartByTouch(page: Page, view: string): Promise<void> {
  const tap = (words: RegExp) => page.getByRole("button", { name: words }).first().tap();
  await tap(/I agree/);
  await isShown(page, /How old are you/);
  await page.getByText("40 or older").tap();
  await tap(/Continue/);
  await isShown(page, /Look at the image first/);
  await tap(/Continue/);
  await isAsked(page, /How well does the image show/);
  await look(page, `${view}-rating`);
  await tap(/Enlarge/);
  await page.getByRole("button", { name: "Close" }).tap();
  await tap(/Completely/);
  await isAsked(page, /2 of 10/);
  await tap(/^Back/);
  await page.locator('button[aria-pressed="true"]', { hasText: "Completely" }).waitFor();
  await isAsked(page, /1 of 10/);
  await tap(/Mostly/);
  await page.locator('button[aria-pressed="true"]').waitFor({ state: "detached" });
  await isAsked(page, /2 of 10/);
  await tap(/Not at all/);
  await isAsked(page, /match the whole text/);
  await look(page, `${view}-likert`);
  await tap(/Very well/);
  await isAsked(page, /4 of 10/);
  await page.getByText("Add a note").tap();
  await page.getByLabel(/why you skip/).fill("too dark");
  await look(page, `${view}-note`);
  await tap(/^Skip/);
  await isAsked(page, /Does the image show/);
  await look(page, `${view}-localized`);
  await tap(/^Yes/);
  await isAsked(page, /6 of 10/);
  await tap(/Can't tell/);
  await isAsked(page, /Which one shows/);
  await look(page, `${view}-pairwise`);
  await tap(/^First/);
  await page.getByLabel(/Why/).fill("sharper");
  await tap(/^Send/);
  await isAsked(page, /8 of 10/);
  await tap(/Equally good/);
  await tap(/^Send/);
  await isAsked(page, /Clothes of one kind/);
  await page.getByRole("checkbox", { name: "Image 2" }).tap();
  await look(page, `${view}-rubric`);
  await tap(/^Present/);
  await isAsked(page, /what you expect to see/);
  // A tap right after a stroke is one.
  for (let times = 0; times < 5; times++) {
    await drawByFinger(page);
    await tap(/^Undo/);
    await page.locator(".sketch path").waitFor({ state: "detached" });
  }
  await drawByFinger(page);
  await page.getByLabel(/Describe what/).fill("A person in white.");
  await look(page, `${view}-mental-image`);
  for (const title of [/Images A/, /Images B/, /All images together/]) {
    await tap(/^Next/);
    await isAsked(page, title);
    await look(page, `${view}-mental-${title.source.replaceAll(" ", "-")}`);
  }
  await tap(/^Send/);
  await isShown(page, /C0DE-42/);
  await look(page, `${view}-end`);
}

/** Draws one stroke over the sheet with a finger, as the browser hears it from a touch screen. */
async function drawByFinger(page: Page): Promise<void> {
  const sheet = page.getByRole("application");
  await sheet.scrollIntoViewIfNeeded();
  const box = await sheet.boundingBox();
  if (box === null) throw new Error("There is no sheet to draw on");
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", at?: number) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: at === undefined ? [] : [{ x: box.x + 30 + at, y: box.y + 40 + at / 2 }],
    });
  await touch("touchStart", 0);
  for (const at of [20, 40, 60, 80]) await touch("touchMove", at);
  await touch("touchEnd");
  await page.locator(".sketch path").waitFor();
}

/** Has calls of these addresses fail as without a connection, until what is returned is called. */
async function cutOff(page: Page, addresses: string): Promise<() => Promise<void>> {
  await page.evaluate((pattern) => {
    const connected = window.fetch;
    const gone = () => Promise.reject(new TypeError("Failed to fetch"));
    window.fetch = (...call) =>
      new RegExp(pattern).test(String(call[0])) ? gone() : connected(...call);
    window.addEventListener("test-connected", () => {
      window.fetch = connected;
    });
  }, addresses);
  return () => page.evaluate(() => void window.dispatchEvent(new Event("test-connected")));
}

inBrowser("a study", (open) => {
  it("is gone through by keyboard alone and by touch alone on a phone, and read by who runs it", async () => {
    const { url, admin, folder } = await serveStudy({ ...tables, "study.yaml": config });
    await takePart(await open(`${url}/?PROLIFIC_PID=one`), "laptop");
    const phone = { width: 390, height: 844, colorScheme: "dark", isTouch: true } as const;
    await takePartByTouch(await open(`${url}/?PROLIFIC_PID=two`, phone), "phone");

    const { answers, state } = await collect(await openStudyFolder(folder));
    const given = [...state.participants.values()].flatMap(({ assignments }) => [
      ...assignments.values(),
    ]);
    const last = given.map(({ answers: all }) => all.at(-1));
    expect(last.filter((one) => one?.note === "too dark")).toMatchObject([{ answer: null }]);
    expect(answers).toHaveLength(20);
    expect(answers.filter(({ answer }) => answer === null)).toHaveLength(2);
    const of = (block: string) => answers.filter((one) => one.block === block);
    expect(
      of("rating")
        .map(({ answer }) => answer?.value)
        .sort(),
    ).toEqual([1, 1, 3, 3]);
    expect(of("pairwise").filter(({ answer }) => answer?.why === "sharper")).toHaveLength(2);
    // The second that each of them saw, in the order drawn for them.
    expect(of("rubric").map(({ answer }) => answer?.images)).toEqual([
      [expect.any(Number)],
      [expect.any(Number)],
    ]);
    for (const { answer } of of("mental-image")) {
      expect(answer).toMatchObject({ words: "A person in white." });
      const { sketch } = answer ?? {};
      if (!Array.isArray(sketch)) throw new Error("There is no sketch");
      expect(sketch).toHaveLength(1);
      expect(sketch[0]).toHaveProperty("length", expect.any(Number));
      expect(JSON.parse(JSON.stringify(sketch[0])).length).toBeGreaterThan(3);
    }

    const page = await open(admin);
    await isShown(page, /18 of 20 answers by 2 people/);
    await look(page, "laptop-admin");
    expect(page.url()).not.toContain("#");
    const atHand = await open(admin, phone);
    await atHand.getByRole("button", { name: "Make links" }).tap();
    await isShown(atHand, /#invite=/);
    await look(atHand, "phone-admin");
  });

  it("keeps an answer while the connection is gone, and is left with one click", async () => {
    const { url, folder } = await serveStudy({ ...tables, "study.yaml": config });
    const page = await open(`${url}/?PROLIFIC_PID=three`);
    await page.getByText("I agree").click();
    await isShown(page, /How old are you/);
    await page.getByLabel("No answer").check();
    await page.getByText("Continue").click();
    // The page before has the same button.
    await isShown(page, /Look at the image first/);
    await page.getByText("Continue").click();
    await isAsked(page, /How well does the image show/);
    await page.keyboard.press("2");
    await isAsked(page, /2 of 10/);
    const connect = await cutOff(page, "answers");
    await page.keyboard.press("2");
    await isShown(page, /will be sent when the connection is back/);
    await connect();
    await isAsked(page, /3 of 10/);
    // The answer arrives, and neither the next item nor its image does.
    const connectAgain = await cutOff(page, "next|images");
    await page.keyboard.press("2");
    await isShown(page, /This page goes on when it is back/);
    await connectAgain();
    await isAsked(page, /4 of 10/);
    await page.getByText("This page goes on").waitFor({ state: "detached" });
    const { answers } = await collect(await openStudyFolder(folder));
    expect(answers.map(({ answer }) => answer)).toEqual(Array(3).fill({ value: 2 }));

    await page.reload();
    await isAsked(page, /4 of 10/);
    // A colleague at the same browser is somebody else; whoever comes back has their own place.
    await page.goto(`${url}/?PROLIFIC_PID=four`);
    await isShown(page, /What it is about/);
    await page.goto(`${url}/?PROLIFIC_PID=three`);
    await isAsked(page, /4 of 10/);
    await page.getByText("Leave the study").first().click();
    await page.getByText("Leave and erase my answers").click();
    await isShown(page, /All your answers were erased/);
    expect((await collect(await openStudyFolder(folder))).answers).toEqual([]);
  });

  it("sets a text that is written from right to left at the right", async () => {
    const { url } = await serveStudy({
      "rating.csv": "id,image,text\nr1,0.png,سيارة حمراء.\n",
      "study.yaml":
        "title: Texts\nopen: true\nconsent: I agree.\nblocks:\n  - {protocol: rating, from: rating.csv, ratingsPerItem: 1}\n",
    });
    const page = await open(`${url}/?PROLIFIC_PID=one`);
    await page.getByRole("button", { name: /I agree/ }).click();
    const gaps = await page.locator(".item .text").evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const [text, line] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      return { left: text.left - line.left, right: line.right - text.right };
    });
    expect(gaps.right).toBeLessThan(2);
    expect(gaps.left).toBeGreaterThan(100);
  });
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStudyFolder } from "../../src/studies/home/study-folder.js";
import { collect } from "../../src/studies/tables/counted-answers.js";
import { inBrowser } from "./in-browser.js";
import { images, isAsked, isShown, look, serveStudy, tabTo } from "./study-pages.js";

const files = {
  "mental.csv": `query,model,image\n${images
    .map((image, at) => `a photo of a nurse,secret-${at % 2},${image}`)
    .join("\n")}\n`,
  "rating.csv": "id,image,text,model\nr1,0.png,A penguin beside two rocks,secret-0\n",
  "codes.yaml":
    "codes:\n  - {code: white coat, description: Somebody wears one.}\n  - {code: sameness}\n",
  "study.yaml": `
title: What do you expect to see?
open: true
moderated: true
consent: I agree to take part and to be recorded.
debrief: All images were made by computers.
disclose: at-end
codebook: codes.yaml
blocks:
  - {protocol: mental-image, from: mental.csv, ratingsPerItem: 1}
  - {protocol: rating, from: rating.csv, ratingsPerItem: 1}
`,
};

inBrowser("a moderated session", (open) => {
  it("is led by keyboard from a page beside the participant's, which follows", async () => {
    const { url, admin, folder } = await serveStudy(files);
    const person = await open(`${url}/?PROLIFIC_PID=one`);
    await isShown(person, /I agree and want/);
    await tabTo(person, /I agree and want/);
    await person.keyboard.press("Enter");
    await isShown(person, /Describe what you expect/);
    const led = await open(admin);
    await isShown(led, /0 of 2 answers by 1 person/);
    await look(led, "moderated-admin");
    await tabTo(led, /Lead a session/);
    await led.keyboard.press("Enter");
    await isShown(led, /at work, 0 of 2/);
    expect(led.url()).not.toContain("#");
    await look(led, "facilitator-list");
    await tabTo(led, /at work/);
    await led.keyboard.press("Enter");
    await isShown(led, /step 1 of 4/);
    await led.getByText("What they say or do").waitFor();

    await person.getByLabel(/Describe what/).focus();
    await person.keyboard.type("Somebody in white.");
    await person.reload();
    await isAsked(person, /Describe what/);
    expect(await person.getByLabel(/Describe what/).inputValue()).toBe("Somebody in white.");
    await tabTo(led, /What they say/);
    await led.keyboard.type("laughs, thinks of an aunt");
    await led.keyboard.press("Enter");
    await led.locator(".notes").getByText("laughs, thinks of an aunt").waitFor();
    await look(led, "facilitator-expectation");
    await tabTo(led, /Note it|Transcripts/);

    // On: the participant's page follows, and what they wrote is kept and seen.
    await led.keyboard.press("ArrowRight");
    await isShown(person, /Images A/);
    await isShown(led, /step 2 of 4/);
    await led.keyboard.press("2");
    await led.locator(".notes").getByText("sameness").waitFor();
    await look(led, "facilitator-images");
    await look(person, "participant-led-images");
    await person.getByLabel(/stereotypes/).fill("They look alike.");
    await led.keyboard.press("ArrowLeft");
    await person.getByLabel(/Describe what/).waitFor();
    expect(await person.getByLabel(/Describe what/).inputValue()).toBe("Somebody in white.");
    for (const title of [/Images A/, /Images B/, /All images together/]) {
      await led.keyboard.press("ArrowRight");
      await isShown(person, title);
    }
    await led.locator(".mirror").getByText("All images together").waitFor();
    await led.keyboard.press("ArrowRight");
    await isShown(person, /A penguin beside two rocks/);

    // No answer yet: the facilitator waits. An answer stays on the page until they go on.
    await led.locator(".mirror").getByText("A penguin beside two rocks").waitFor();
    await led.keyboard.press("ArrowRight");
    await isShown(led, /have not answered yet/);
    await isAsked(person, /A penguin beside two rocks/);
    await person.keyboard.press("3");
    await isShown(person, /your answer is kept/);
    await led.locator('.mirror button[aria-pressed="true"]', { hasText: "Mostly" }).waitFor();
    await look(led, "facilitator-rating");
    await led.keyboard.press("ArrowRight");
    await isShown(person, /made by computers/);
    await isShown(led, /shows the debrief/);
    expect(await led.content()).not.toContain("secret-");

    const { answers, state } = await collect(await openStudyFolder(folder));
    expect(answers.map(({ answer }) => answer)).toMatchObject([
      { words: "Somebody in white." },
      { value: 3 },
    ]);
    const [comments] = answers.map(({ answer }) => JSON.stringify(answer?.comments));
    expect(comments).toContain("They look alike.");
    const [participant] = [...state.participants.values()];
    expect([...(participant?.notes.values() ?? [])]).toMatchObject([
      { text: "laughs, thinks of an aunt", codes: [] },
      { text: "", codes: ["sameness"] },
    ]);
    const log = join(folder, "participants", `${participant?.id}.jsonl`);
    expect(await readFile(log, "utf8")).toContain("laughs, thinks of an aunt");
  });

  it("is led by touch on a phone", async () => {
    const { url, facilitator } = await serveStudy(files);
    const phone = { width: 390, height: 844, colorScheme: "dark", isTouch: true } as const;
    const person = await open(`${url}/?PROLIFIC_PID=two`, phone);
    await person.getByText("I agree and want").tap();
    await isShown(person, /Describe what you expect/);
    const led = await open(facilitator, phone);
    await led.getByText(/at work/).tap();
    await led.getByRole("button", { name: /Next/ }).tap();
    await isShown(person, /Images A/);
    await led.getByRole("button", { name: /white coat/ }).tap();
    await led.locator(".notes").getByText("white coat").waitFor();
    await look(led, "phone-facilitator");
    await led.getByRole("button", { name: /Take back/ }).tap();
    await led.locator(".notes li").waitFor({ state: "detached" });
    await look(person, "phone-participant-led");
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ItemDetail, ItemPage } from "../../src/studio/api.js";
import type { AuditSetPage } from "../../src/studio/audits/audit-api.js";
import { makeAuditRun } from "../report/audit-run.js";
import { generatedRun } from "../support/generated-run.js";
import { knownStudy, plannedStudy } from "../support/known-study.js";
import { servedStudio } from "../support/served-studio.js";
import { barriers } from "./accessibility.js";
import { inBrowser } from "./in-browser.js";

const pages: Readonly<Record<string, string>> = {
  audit: "/runs/audit/audit",
  sets: "/runs/audit/audit/sets?sort=before",
  cards: `/cards?from=${encodeURIComponent('["run:generated","run:other"]')}`,
  "planned study": "/studies/planned~study~study.json",
  "no set": "/runs/audit/audit/sets?item=nothing",
};

const settled = async (page: Page) => {
  await page.waitForSelector("main");
  await soon(() => page.getByText(/^Reading/).count()).toBe(0);
};

/** Polls as long as a machine at work on other things may need. */
const soon = <Value>(look: () => Value | Promise<Value>) => expect.poll(look);

const sideways = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

const setsOf = async (address: string) =>
  ((await (await fetch(address)).json()) as AuditSetPage).sets;

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "touchstone-"));
  await generatedRun(join(root, "generated"), { images: 80, side: 16, metrics: 2 });
  await generatedRun(join(root, "other"), { images: 80, side: 16, metrics: 2, seed: "other" });
  await plannedStudy(join(root, "planned"));
  await makeAuditRun(join(root, "audit"), { count: 2, images: 2, trials: 1 });
});
afterAll(() => rm(root, { recursive: true }));

inBrowser("the studio's rooms", (open) => {
  test.each(["light", "dark"] as const)("have no serious barrier, %s", async (colorScheme) => {
    const address = await servedStudio({ root, shown: "runs" });
    const page = await open(address, { colorScheme });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(address + path);
      await settled(page);
      expect(await barriers(page), name).toEqual([]);
    }
  });

  test.each([390, 1280, 2560])("scroll nothing sideways at %i px", async (width) => {
    const address = await servedStudio({ root, shown: "runs" });
    const page = await open(address, { width });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(address + path);
      await settled(page);
      expect(await sideways(page), name).toBe(0);
    }
  });

  test("an audit is walked by keyboard, from its run to the sets that an item is flagged in", async () => {
    const address = await servedStudio({ root, shown: "runs" });
    const page = await open(`${address}/runs/audit`);
    await page.getByRole("main").getByRole("link", { name: "Audit" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/runs/audit/audit");
    await page.getByRole("heading", { name: "What refining costs" }).waitFor();
    await page.keyboard.press("s");
    await page.waitForURL("**/audit/sets");
    await page.getByText(/^1 of \d+ sets/).waitFor();
    await page.getByRole("heading", { name: /^Before: index/ }).waitFor();
    await page.getByRole("heading", { name: /^After/ }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText(/^2 of \d+ sets/).waitFor();
    expect(new URL(page.url()).searchParams.get("at")).toBe("1");
    await page.keyboard.press("u");
    await page.waitForURL("**/runs/audit/audit");
    const [most] = await setsOf(`${address}/api/runs/audit/audit/sets?sort=before&limit=1`);
    const item = most?.initial.flags[0]?.item ?? "";
    const link = page.locator(`a[href*="category=${most?.category}"][href*="item=${item}"]`);
    await link.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/item=/);
    expect(await page.getByLabel("Flagged item").inputValue()).toBe(item);
    await page.getByRole("heading", { name: `“${most?.query}”` }).waitFor();
    await page
      .locator(".flags")
      .getByText(`✕ ${item.replaceAll("-", " ")}`)
      .first()
      .waitFor();
    const shown = page.locator(".set-images img").first();
    const isDrawn = (it: unknown) => (it as { naturalWidth: number }).naturalWidth > 0;
    await soon(() => shown.evaluate(isDrawn)).toBe(true);
  });

  test("an image leads to the others of its prompt, by other models and samples", async () => {
    const address = await servedStudio({ root, shown: "runs" });
    const { items } = (await (
      await fetch(`${address}/api/runs/audit/items?limit=500`)
    ).json()) as ItemPage;
    const [first] = items;
    const { others } = (await (
      await fetch(`${address}/api/runs/audit/items/${first?.key}`)
    ).json()) as ItemDetail;
    const alike = items.filter(
      ({ key, text, role }) => key !== first?.key && text === first?.text && role === first.role,
    );
    expect(alike.length).toBeGreaterThan(0);
    expect(others.map(({ key }) => key)).toEqual(alike.map(({ key }) => key));
    const page = await open(`${address}/runs/audit/items/${first?.key}`);
    await page.getByRole("heading", { name: "Others of the same prompt" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.locator(".others a").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/items/${alike[0]?.key}`);
  });

  test("cards are set beside each other by keyboard, and the address holds whose", async () => {
    const address = await servedStudio({ root, shown: "runs" });
    const page = await open(`${address}/runs/generated`);
    await page.getByRole("main").getByRole("link", { name: "Trust cards" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/cards?from=**");
    await settled(page);
    const columns = () => page.locator(".scoreboard thead th").count();
    expect(await columns()).toBe(3);
    await page.getByRole("checkbox", { name: "other" }).focus();
    await page.keyboard.press("Space");
    await soon(columns).toBe(5);
    expect(new URL(page.url()).searchParams.get("from")).toBe('["run:generated","run:other"]');
    await page.getByText("▲").first().waitFor();
    await page.locator("main details:not(.more) > summary").first().focus();
    await page.keyboard.press("Enter");
    await page
      .getByRole("heading", { name: /^Trust card of/ })
      .first()
      .waitFor();
    await page.keyboard.press("u");
    await page.getByText("3 runs in runs").waitFor();
  });

  test.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)(
    "a study stands there, and invites by keyboard, %s at %i px",
    async (colorScheme, width) => {
      const { directory, service, anna } = await knownStudy();
      await service.answer(anna.session, { assignment: anna.assignment, answer: { value: 3 } });
      const address = await servedStudio({ root: dirname(directory), shown: "studies" });
      const page = await open(address, { colorScheme, width });
      await page.getByRole("main").getByRole("link", { name: "study", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/studies/study~study.json");
      await page.getByText("1 of 12 answers by 2 people.").waitFor();
      await page.getByText(anna.participant).waitFor();
      await page.getByText(/^No plan drew these items/).waitFor();
      expect(await page.getByRole("button", { name: "Erase" }).count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await page.getByLabel("How many").fill("2");
      await page.getByLabel("Address that participants open").fill("https://study.example.org");
      await page.keyboard.press("Enter");
      await page.getByText("2 links, for one person each.").waitFor();
      const links = (await page.locator("pre", { hasText: "#invite=" }).innerText()).split("\n");
      const [, invite = ""] = links[1]?.split("#invite=") ?? [];
      expect((await service.join({ invite })).participant).toMatch(/^p-/);
      expect(await barriers(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await service.close();
      await page.getByText(/^Closed on/).waitFor();
      await page.keyboard.press("Escape");
      await page.locator("main").focus();
      await page.keyboard.press("u");
      await page.getByRole("heading", { name: "No run here yet" }).waitFor();
    },
  );
});

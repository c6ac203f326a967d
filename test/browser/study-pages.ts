import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { runCommandLine } from "../../src/cli/main.js";
import { encodePng } from "../../src/images/pixels-picture.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { barriers } from "./accessibility.js";

/** Images that every study of these tests has. */
export const images = ["0.png", "1.png", "2.png", "3.png"];

/** A folder with these files of a study and `images`. */
export async function studyFiles(files: Readonly<Record<string, string>>) {
  const workingDirectory = await temporaryDirectory();
  for (const [at, name] of images.entries()) {
    const data = Uint8Array.from({ length: 256 * 256 * 3 }, (_, byte) =>
      byte % 3 === at % 3 ? 220 : Math.floor(byte / 768) % (40 + 30 * at),
    );
    await writeFile(join(workingDirectory, name), encodePng({ width: 256, height: 256, data }));
  }
  await mkdir(join(workingDirectory, "studies"));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(workingDirectory, name), text);
  }
  return { workingDirectory };
}

/** Serves a study of these files, `study.yaml` among them; its folder and addresses. */
export async function serveStudy(
  files: Readonly<Record<string, string>>,
  { preview = false }: { readonly preview?: boolean } = {},
) {
  const { workingDirectory } = await studyFiles(files);
  const environment = fakeEnvironment({ workingDirectory });
  const create = ["study", "create", "study.yaml", "--run", "studies/all"];
  expect(await runCommandLine(create, environment), environment.written.stderr).toBe(0);
  let ended: Promise<number> | undefined;
  const line = await new Promise<string>((resolve, reject) => {
    ended = runCommandLine(
      ["study", "serve", "studies/all", "--json", ...(preview ? ["--preview"] : [])],
      {
        ...environment,
        now: () => new Date(),
        stdout: { ...environment.stdout, write: resolve },
      },
    );
    ended.then(() => reject(new Error(environment.written.stderr)), reject);
  });
  onTestFinished(async () => {
    environment.interrupt();
    await ended;
  });
  const served: { url: string; admin: string; facilitator: string } = JSON.parse(line);
  return { ...served, folder: join(workingDirectory, "studies/all") };
}

const shots = process.env.STUDY_SCREENSHOTS || undefined;

/** Looks for barriers and sideways scroll; keeps a picture where somebody wants to look. */
export async function look(page: Page, name: string): Promise<void> {
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  if (shots !== undefined)
    await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  expect(await barriers(page), name).toEqual([]);
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth ?? 0, `${name}: sideways scroll`).toBeLessThanOrEqual(clientWidth ?? 0);
  // A phone shows what is wider than its window smaller.
  const shownWidth = await page.evaluate(() => window.innerWidth);
  expect(shownWidth, `${name}: shrunk to fit`).toBe(page.viewportSize()?.width);
}

/** Focuses the first button or field with these words by Tab alone, as who has no mouse does. */
export async function tabTo(page: Page, words: RegExp): Promise<void> {
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(() => {
      const { activeElement: active } = document;
      const isField = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
      const label = isField ? active.labels?.[0]?.textContent : active?.getAttribute("aria-label");
      return `${active?.textContent ?? ""} ${label ?? ""}`;
    });
    if (words.test(text)) return;
  }
  throw new Error(`Nothing that says ${words} was reached by Tab`);
}

/** Waits until a text is on the page. */
export const isShown = (page: Page, text: RegExp) => page.getByText(text).first().waitFor();

/** Waits until a text is on the page and the item that has it may be answered. */
export async function isAsked(page: Page, text: RegExp): Promise<void> {
  await isShown(page, text);
  await page.locator('main[aria-busy="false"]').waitFor();
}

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { findBrowser, startBrowser } from "../../scripts/start-browser.mjs";

/** How a page is looked at; a laptop in light colours where nothing else is said. */
export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** Whether it is a phone's: fingers in place of a mouse. */
  readonly isTouch?: boolean;
  /** Whether its server may be away for a while: what the browser says of that is no error. */
  readonly isCutOff?: boolean;
  /** Whether its server refuses something: what the browser says of that is no error. */
  readonly isRefused?: boolean;
}

/**
 * Opens an address in a page of its own, which goes when the test ends. The test then fails for each
 * error that the page threw or wrote to its console.
 */
export type OpenPage = (address: string, view?: View) => Promise<Page>;

const found = findBrowser();
const missing = " (skipped: no browser; npm run fetch-browser fetches one)";

/** Tests in a real Chromium, skipped where there is none unless `BROWSER_TESTS=required`. */
export function inBrowser(title: string, tests: (open: OpenPage) => void): void {
  if (found === undefined && process.env.BROWSER_TESTS === "required") {
    throw new Error("Expected a browser but there is none: npm run fetch-browser fetches one");
  }
  describe.skipIf(found === undefined)(`${title}${found === undefined ? missing : ""}`, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      if (found !== undefined) browser = await startBrowser();
    });
    afterAll(() => browser?.close());
    tests(async (address, view = {}) => {
      const { width = 1280, height = 800, colorScheme = "light" } = view;
      const { isCutOff = false, isRefused = false, isTouch = false } = view;
      if (browser === undefined) throw new Error("The browser has not started");
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme,
        hasTouch: isTouch,
        isMobile: isTouch,
      });
      const errors: string[] = [];
      onTestFinished(async () => {
        await context.close();
        expect(errors).toEqual([]);
      });
      const page = await context.newPage();
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        const text = message.text();
        const isExpected =
          (isCutOff && text.includes("net::ERR_")) || (isRefused && /status of 4\d\d/.test(text));
        if (message.type() !== "error" || isExpected) return;
        errors.push(`${message.text()} (${message.location().url})`);
      });
      await page.goto(address);
      return page;
    });
  });
}

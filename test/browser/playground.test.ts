import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { heaviestPage } from "../../scripts/site/check-site.mjs";
import { weighTables } from "../../scripts/site/weigh-tables.mjs";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { inBrowser } from "./in-browser.js";

inBrowser("the web site's page of tables", () => {
  test("loads one conclusion with a table, and nothing of the others, before its plot", async () => {
    const folder = await temporaryDirectory();
    const words = ["build", "--config", "web/vite.playground.config.ts", "--outDir", folder];
    execFileSync("npx", ["vite", ...words], {
      env: { ...process.env, NODE_ENV: "production" },
      stdio: "pipe",
    });
    const { swap = 0, card = 0 } = await weighTables(folder, ["swap", "card"]);
    expect(swap).toBeGreaterThan(100_000);
    // A card rests on more than any other.
    expect(card).toBeLessThan(heaviestPage);
    expect(card - swap).toBeGreaterThan(10_000);
  });
});

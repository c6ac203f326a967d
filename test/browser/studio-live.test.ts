import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { servedStudio } from "../support/served-studio.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { inBrowser } from "./in-browser.js";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));

function started(words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [bin, ...words], { stdio: "ignore" });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

inBrowser("a run that is at work", (open) => {
  test("is watched while it is made, killed and resumed", async () => {
    const root = await temporaryDirectory();
    const directory = join(root, "demo");
    const address = await servedStudio({ root, shown: "runs" });
    const page = await open(address);
    await page.getByText("No run here yet").waitFor();
    const patient = { timeout: 110_000 };
    const first = started(["demo", "--size", "small", "--chapter", "none", "--run", directory]);
    const progress = page.getByText(/^[a-z-]+: [1-9]\d* of \d+/);
    await progress.waitFor(patient);
    await page.getByRole("main").getByRole("link", { name: "demo" }).click();
    await page.locator(".state.live").waitFor(patient);
    await progress.waitFor(patient);
    first.kill("SIGKILL");
    await once(first, "close");
    await page.locator(".state.unfinished").waitFor(patient);
    await page.getByText("touchstone run resume runs/demo").waitFor(patient);
    const second = started(["run", "resume", directory]);
    await page.locator(".state.live").waitFor(patient);
    await once(second, "close");
    await page.locator(".state.finished").waitFor(patient);
    await page.getByRole("link", { name: "Images 160" }).waitFor(patient);
    expect(await page.getByText("… not finished").count()).toBe(0);
  });
});

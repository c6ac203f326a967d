import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));

/**
 * A studio over a folder, in a process of its own, once it has said its address.
 * It is killed when the test ends. Rejects where the process ends before it says one.
 */
export async function startedStudio(root: string): Promise<{ child: ChildProcess; url: string }> {
  const words = [bin, "studio", root, "--port", "0", "--no-open", "--json"];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [said] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(([code]) => {
      throw new Error(`Expected the studio's address, but it ended with ${code}`);
    }),
  ]);
  return { child, url: JSON.parse(String(said)).url };
}

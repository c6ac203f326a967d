import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { betweenSigns, jobNames, processNamed } from "../files/job-life.js";

/** Whoever watches a command from another process, such as the studio that started it. */
export interface Watcher {
  progress(line: string): void;
}

/** Milliseconds between two lines of progress. */
const between = 500;

/**
 * Tells of this process in a folder: who it is at once, its progress while it works, and its exit code at its end. A disk
 * that is full hinders none of its work.
 */
export async function watchedIn(folder: string): Promise<Watcher> {
  const write = (name: string, text: string) => {
    try {
      writeFileSync(join(folder, name), text);
    } catch {
      // Who watches sees that the process is gone.
    }
  };
  const own = `${JSON.stringify(await processNamed())}\n`;
  const say = () => write(jobNames.process, own);
  say();
  setInterval(say, betweenSigns).unref();
  let [told, last] = [Number.NEGATIVE_INFINITY, ""];
  process.on("exit", (code) => {
    if (last !== "") write("progress.txt", `${last}\n`);
    write(jobNames.exit, `${JSON.stringify({ code, ended: new Date().toISOString() })}\n`);
  });
  return {
    progress(line) {
      last = line;
      const now = performance.now();
      if (now - told < between) return;
      told = now;
      write("progress.txt", `${line}\n`);
    },
  };
}

import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { keepPrinted } from "./printed.js";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line as a process of its own. */
export function touchstone(
  words: readonly string[],
  {
    workingDirectory,
    variables = {},
    stdin = "",
  }: { workingDirectory?: string; variables?: Record<string, string>; stdin?: string } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...words], {
      cwd: workingDirectory,
      // On the path it is called by its bare name, as where it is installed.
      env: { PATH: [dirname(bin), process.env.PATH].join(delimiter), ...variables },
    });
    const read = { stdout: "", stderr: "" };
    keepPrinted(read);
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        read[name] += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...read }));
    // A verb that reads no input may be gone before it is written.
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
  });
}

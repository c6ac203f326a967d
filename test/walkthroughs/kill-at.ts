import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));

/** Runs the built command line, and kills it when `isTime` says so. Returns what ended it. */
export async function killAt(
  words: readonly string[],
  {
    directory,
    variables,
    watch,
  }: {
    readonly directory: string;
    readonly variables: Readonly<Record<string, string>>;
    /** Is handed what kills the command. */
    readonly watch: (kill: () => void) => void;
  },
): Promise<string | null> {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...variables },
    stdio: "ignore",
  });
  watch(() => child.kill("SIGKILL"));
  const [, signal] = await once(child, "close");
  return signal;
}

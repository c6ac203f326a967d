import { runCommandLine } from "../../src/cli/main.js";
import { fakeEnvironment } from "./fake-environment.js";
import type { Ended } from "./touchstone.js";

/** Runs a command line in this process, by the sources; `touchstone` runs the built one in a process of its own. */
export async function touchstoneHere(
  words: readonly string[],
  outside: Parameters<typeof fakeEnvironment>[0] = {},
): Promise<Ended & { readonly code: number }> {
  const environment = fakeEnvironment(outside);
  const code = await runCommandLine(words, environment);
  return { code, ...environment.written };
}

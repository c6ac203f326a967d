import { type Command, invocationOf, sharedArguments } from "../../command-line/command.js";
import { parseArguments } from "../../command-line/parse-arguments.js";
import { wordsOf } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";

/** Verbs that conclude from the run that they collect: a judge, an audit's figures, a demo's chapters. */
const verbs: Readonly<Record<string, () => Promise<{ readonly default: Command }>>> = {
  demo: () => import("../demo/demo.js"),
  calibrate: () => import("../calibrate/calibrate.js"),
  judge: () => import("../judge/judge.js"),
  audit: () => import("../audit/audit.js"),
};

export type Repeat = (invocation: {
  readonly environment: Environment;
  readonly output: Output;
  readonly shared: { readonly json: boolean; readonly debug: boolean };
}) => Promise<void>;

/**
 * Those command lines of a recipe whose verb concludes from the run, each once, as commands that can be run
 * again on the run, wherever it is now.
 */
export async function concludingCommands(
  lines: readonly string[],
  { run }: { readonly run: string },
): Promise<readonly Repeat[]> {
  // A run that was moved may name one command by both its places.
  const found = new Map<string, Repeat>();
  for (const line of lines) {
    const [, name = "", ...words] = wordsOf(line);
    const load = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (load === undefined) continue;
    const { default: command } = await load();
    const parsed = parseArguments(words, { ...command.arguments, ...sharedArguments }, name);
    const given = { ...parsed, run };
    // Given with --no-cache and without it, it is one command; the last says how it goes on.
    const key = JSON.stringify([name, { ...given, "no-cache": false }]);
    found.delete(key);
    found.set(key, ({ environment, output, shared }) =>
      command.run(
        invocationOf({ name, command }, { given: { ...given, ...shared }, environment, output }),
      ),
    );
  }
  return [...found.values()];
}

import { runCommandLine } from "../../src/cli/command-line/run-command-line.js";
import { wordsOf } from "../../src/cli/command-line/shell-words.js";
import { verbs } from "../../src/cli/verbs.js";
import { fakeEnvironment } from "./fake-environment.js";
import { listedCommands } from "./listed-commands.js";
import { nextCommandsIn } from "./next-commands.js";

/** A verb that concludes from a table, and the line that concludes from its sample, given as "-". */
export interface SampleCommand {
  /** Such as "analyze swap". */
  readonly path: string;
  /** The sample's name: the path's last word. */
  readonly name: string;
  /** Flags that it can't do without. */
  readonly flags: readonly string[];
  /** Flags that make it quick. */
  readonly quick: readonly string[];
  /** Whether it is a conclusion and no more: it has a plot, and its text has details. */
  readonly isPlain: boolean;
  readonly sample: string;
}

/** Every verb whose table `example` prints, as it says how to read it. */
export async function sampleCommands(): Promise<SampleCommand[]> {
  const commands = await listedCommands(verbs);
  const found: SampleCommand[] = [];
  for (const { path, command } of commands) {
    if (!("out" in command.arguments)) continue;
    const name = path.split(" ").at(-1) ?? "";
    const environment = fakeEnvironment();
    if ((await runCommandLine(["example", name], environment)) !== 0) continue;
    const { stdout, stderr } = environment.written;
    const [, reader] = (nextCommandsIn(stderr)[0] ?? "").split(" | ");
    const [, ...words] = wordsOf(reader ?? "");
    if (words.slice(0, words.indexOf("-")).join(" ") !== path) continue;
    const quick = ["resamples", "permutations"].filter((flag) => flag in command.arguments);
    found.push({
      path,
      name,
      flags: words.slice(words.indexOf("-") + 1),
      quick: quick.flatMap((flag) => [`--${flag}`, "100"]),
      isPlain: "details" in command.arguments,
      sample: stdout,
    });
  }
  return found;
}

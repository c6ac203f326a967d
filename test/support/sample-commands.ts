import { wordsOf } from "../../src/cli/command-line/shell-words.js";
import { runCommandLine } from "../../src/cli/main.js";
import { verbs } from "../../src/cli/verbs.js";
import { fakeEnvironment } from "./fake-environment.js";
import { listedCommands } from "./listed-commands.js";
import { nextCommandsIn } from "./next-commands.js";

/** A verb that concludes from a table, and the line that concludes from its sample, given as "-". */
export interface SampleCommand {
  /** Such as "analyze swap". */
  readonly path: string;
  /** The sample's name: the path's last word, or its words with hyphens. */
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
    const [sampled] = await Promise.all(
      [path.split(" ").at(-1) ?? "", path.replaceAll(" ", "-")].map(sampleOf),
    ).then((both) => both.flatMap((one) => one ?? []));
    if (sampled === undefined) continue;
    const { name, stdout, stderr } = sampled;
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

async function sampleOf(name: string) {
  const environment = fakeEnvironment();
  const code = await runCommandLine(["example", name], environment);
  return code === 0 ? { name, ...environment.written } : undefined;
}

import { InputError } from "../../../core/errors.js";
import { type Command, invocationOf, sharedArguments } from "../../command-line/command.js";
import { parseArguments } from "../../command-line/parse-arguments.js";
import { wordsOf } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";

/** The verbs that work on runs, in the order in which one needs what another made. */
const verbs: readonly {
  readonly name: string;
  /** The argument that names the run. */
  readonly run: string;
  load(): Promise<{ readonly default: Command }>;
}[] = [
  { name: "demo", run: "run", load: () => import("../demo/demo.js") },
  { name: "build", run: "run", load: () => import("../build/build.js") },
  { name: "generate", run: "run", load: () => import("../generate/generate.js") },
  { name: "score", run: "source", load: () => import("../score/score.js") },
  { name: "calibrate", run: "run", load: () => import("../calibrate/calibrate.js") },
  { name: "judge", run: "run", load: () => import("../judge/judge.js") },
  { name: "audit", run: "run", load: () => import("../audit/audit.js") },
];

export type Repeat = (invocation: {
  readonly environment: Environment;
  readonly output: Output;
  readonly shared: { readonly json: boolean; readonly debug: boolean };
}) => Promise<void>;

/**
 * The command lines of a recipe as commands that can be run again on the run, wherever it is now,
 * in the order in which one needs what another made.
 *
 * @throws InputError where there is none, or one that this version can't run.
 */
export async function repeatable(
  lines: readonly string[],
  { run }: { readonly run: string },
): Promise<readonly Repeat[]> {
  if (lines.length === 0) {
    throw new InputError(`Expected a run whose run.json names a command but received ${run}`, {
      hint: "It was made by a program of somebody's own, which alone can go on with it.",
    });
  }
  const found: { readonly place: number; readonly same: string; readonly repeat: Repeat }[] = [];
  for (const line of lines) {
    const [, name, ...words] = wordsOf(line);
    const place = verbs.findIndex((verb) => verb.name === name);
    const verb = verbs[place];
    if (verb === undefined) {
      throw new InputError(
        `Expected a command of ${verbs.map((each) => each.name).join(", ")} in the run.json of ${run} but received ${line}`,
      );
    }
    const { default: command } = await verb.load();
    const parsed = parseArguments(words, { ...command.arguments, ...sharedArguments }, verb.name);
    const given = { ...parsed, [verb.run]: run };
    // A run that was moved may name one command by both its places.
    const same = JSON.stringify([verb.name, given]);
    if (found.some((other) => other.same === same)) continue;
    const repeat: Repeat = ({ environment, output, shared }) =>
      command.run(
        invocationOf(
          { name: verb.name, command },
          { given: { ...given, ...shared }, environment, output },
        ),
      );
    found.push({ place, same, repeat });
  }
  return found.toSorted((one, other) => one.place - other.place).map(({ repeat }) => repeat);
}

import type { Arguments, Given } from "../../core/options.js";
import type { Environment } from "../environment.js";
import type { Output } from "../terminal/output.js";
import { argumentWords } from "./argument-words.js";

/** Every verb understands these beside its own. */
export const sharedArguments = {
  json: { kind: "switch", description: "print one JSON object instead of text" },
  debug: { kind: "switch", description: "print the stack trace" },
} as const satisfies Arguments;

type Overrides<Declared extends Arguments> = {
  readonly [Name in keyof Declared]?: Given<Declared>[Name] | undefined;
};

/** Context of a verb's call. */
export interface Invocation<Declared extends Arguments> {
  readonly given: Given<Declared & typeof sharedArguments>;
  readonly environment: Environment;
  readonly output: Output;
  /**
   * The words after `touchstone` that give the same again, the verb's path first, without defaults,
   * --json and --debug.
   *
   * @param overrides what is to be given otherwise; a member that is undefined is left out.
   * @param inFull flags that are said even where they are the default: a recipe outlives defaults.
   */
  words(
    overrides?: Overrides<Declared & typeof sharedArguments>,
    inFull?: readonly (keyof Declared)[],
  ): string[];
}

export interface CommandDefinition<Declared extends Arguments> {
  /** One paragraph, shown by --help. */
  readonly description: string;
  /** Command lines that work, shown by --help; at least one. */
  readonly examples: readonly [string, ...string[]];
  readonly arguments: Declared;
  run(invocation: Invocation<Declared>): Promise<void>;
}

/** A verb, with its own argument types forgotten. */
export interface Command {
  readonly kind: "command";
  readonly description: string;
  readonly examples: readonly [string, ...string[]];
  readonly arguments: Arguments;
  run(invocation: Invocation<Arguments>): Promise<void>;
}

/** One line of the list of verbs. The file is loaded when the verb is used. */
export interface Verb {
  readonly name: string;
  /** A few words for the list of verbs. */
  readonly summary: string;
  load(): Promise<{ readonly default: Command | CommandGroup }>;
}

/** A verb that only has verbs of its own, such as `analyze`. */
export interface CommandGroup {
  readonly kind: "group";
  readonly description: string;
  /** Command lines that work, shown by --help. */
  readonly examples: readonly [string, ...string[]];
  readonly verbs: readonly Verb[];
}

/**
 * Declares a verb. A file of `verbs/` exports it by default; `verbs.ts` lists it.
 *
 * @example
 * export default command({
 *   description: "Prints a text.",
 *   examples: ["touchstone echo hello --times 2"],
 *   arguments: {
 *     text: { kind: "positional", description: "what to print" },
 *     times: { kind: "number", integer: true, minimum: 1, default: 1, description: "how often" },
 *   },
 *   async run({ given, output }) {
 *     output.result(given.text.repeat(given.times));
 *   },
 * });
 */
export function command<const Declared extends Arguments>(
  definition: CommandDefinition<Declared>,
): Command {
  return {
    kind: "command",
    ...definition,
    // The line is parsed against this very declaration before `run` is called.
    run: (invocation) => definition.run(invocation as unknown as Invocation<Declared>),
  };
}

/** Builds a verb's invocation from the values read for its arguments. */
export function invocationOf(
  { name, command }: { readonly name: string; readonly command: Command },
  {
    given,
    environment,
    output,
    limits = {},
  }: Omit<Invocation<Arguments>, "words"> & {
    /** Limits from elsewhere than the line, which `words` need not say. */
    readonly limits?: Readonly<Record<string, number>>;
  },
): Invocation<Arguments> {
  const declared: Arguments = { ...command.arguments, ...sharedArguments };
  return {
    given: { ...given, ...limits },
    environment,
    output,
    words: (overrides, inFull) => [
      ...name.split(" "),
      ...argumentWords(
        declared,
        {
          ...given,
          json: false,
          debug: false,
          // The store of a study is added by `inStore`.
          store: undefined,
          blobs: undefined,
          ...overrides,
        },
        inFull,
      ),
    ],
  };
}

/** Declares a verb with sub-verbs. */
export function commandGroup(definition: Omit<CommandGroup, "kind">): CommandGroup {
  return { kind: "group", ...definition };
}

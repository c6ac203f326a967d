import type { IncompleteError } from "../../core/errors.js";
import { asJson } from "../../core/json.js";
import type { Arguments, Given } from "../../core/options.js";
import type { RunMakes } from "../../core/recipe.js";
import type { RecordStore } from "../../core/record-store.js";
import type { AnyStep } from "../../core/step.js";
import type { Budget } from "../../runs/budget.js";
import type { ToldSanity } from "../../runs/run-sanity.js";
import type { StepSummary } from "../../runs/run-steps.js";
import type { Environment } from "../environment.js";
import type { Hosting } from "../models/hosting.js";
import type { Output } from "../terminal/output.js";
import type { ToldItems } from "../verbs/run/item-progress.js";
import type { Spending } from "../verbs/score/spending.js";
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
  /** The verb with what it was given, for the recipe of a run of which it makes something; overrides as in `words`. */
  makes(overrides?: Overrides<Declared & typeof sharedArguments>): RunMakes;
}

/** A run whose steps are collected. */
export interface CollectedRun {
  readonly store: RecordStore;
  readonly summaries: readonly StepSummary[];
  /** What its models see and its metrics and judges read, where that was checked. */
  readonly sanity?: ToldSanity | undefined;
  /** What its models cost now. */
  readonly spending: Spending;
  /** What stopped it, where the verb then says what is there: a limit, an interruption, models that give no answer. */
  readonly stopped?: IncompleteError | undefined;
}

/** What collecting a run and concluding from it share. */
export interface Means {
  readonly budget: Budget;
  readonly hosting: Hosting;
  /** The place of the run that is resumed. */
  readonly run: string;
  /** Whether parts are performed, perhaps by several processes at once, and nothing is concluded. */
  readonly performsParts?: boolean;
}

/** How a verb makes something of a run that it collected, now or once the run is resumed. */
export interface Making {
  /** Steps that a recipe can't make again by itself: they are about the items of a table. */
  steps?(store: RecordStore): readonly AnyStep[];
  /** How many calls the models of these take at once, where they are reached over the network. */
  readonly callsAtOnce?: number;
  /** How the run is told of, where it is about the items of a table or a folder. */
  readonly items?: ToldItems;
  conclude(collected: CollectedRun): Promise<void>;
  /** Removes what is of no use any more, however it ends. */
  close?(): Promise<void>;
}

export interface CommandDefinition<Declared extends Arguments> {
  /** One paragraph, shown by --help. */
  readonly description: string;
  /** Command lines that work, shown by --help; at least one. */
  readonly examples: readonly [string, ...string[]];
  readonly arguments: Declared;
  run(invocation: Invocation<Declared>): Promise<void>;
  /**
   * For verbs that conclude from the run that they collect. `run resume` calls it with what the recipe says
   * was given (`recipe.makes`) and the run's place now.
   */
  make?(invocation: Invocation<Declared>, means: Means): Promise<Making>;
}

/** A verb, with its own argument types forgotten. */
export interface Command {
  readonly kind: "command";
  readonly description: string;
  readonly examples: readonly [string, ...string[]];
  readonly arguments: Arguments;
  /** Whether a line asks models, where not every one does: only then limits of the configuration count. */
  asksModels?(given: Given<Arguments>, environment: Environment): Promise<boolean>;
  run(invocation: Invocation<Arguments>): Promise<void>;
  make?(invocation: Invocation<Arguments>, means: Means): Promise<Making>;
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
  /** What is run where the first word is none of the verbs, and it takes that word. */
  readonly otherwise?: {
    takes(word: string): boolean;
    load(): Promise<{ readonly default: Command }>;
  };
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
  // The line is parsed against this very declaration before `run` is called.
  return { kind: "command", ...definition } as unknown as Command;
}

/** Builds a verb's invocation from the values read for its arguments. */
export function invocationOf(
  { name, command }: { readonly name: string; readonly command: Command },
  {
    given,
    environment,
    output,
    limits = {},
  }: Omit<Invocation<Arguments>, "words" | "makes"> & {
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
    makes(overrides) {
      const { json: _, debug: __, ...own } = { ...given, ...overrides };
      return { verb: name, given: { ...asJson(own) } as RunMakes["given"] };
    },
  };
}

/** Declares a verb with sub-verbs. */
export function commandGroup(definition: Omit<CommandGroup, "kind">): CommandGroup {
  return { kind: "group", ...definition };
}

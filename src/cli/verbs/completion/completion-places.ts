import { append } from "../../../core/append.js";
import type { Argument, Arguments } from "../../../core/options.js";
import { sharedArguments, type Verb } from "../../command-line/command.js";

/** A word that may stand at a place, and what it is. */
export interface CompletionWord {
  readonly word: string;
  readonly about: string;
}

export interface CompletionFlag extends CompletionWord {
  /** Values to choose from; empty where it takes any, `undefined` where it takes none. */
  readonly values: readonly string[] | undefined;
}

/** Where a command line has come to: the verb so far, and what may follow it. */
export interface CompletionPlace {
  /** Such as "analyze swap"; "" where no verb was typed. */
  readonly path: string;
  readonly verbs: readonly CompletionWord[];
  readonly flags: readonly CompletionFlag[];
  /** Takes words without a flag, mostly files. */
  readonly takesFiles: boolean;
}

/** All places of a command line. */
export async function completionPlaces(verbs: readonly Verb[]): Promise<CompletionPlace[]> {
  const root = { path: "", verbs: wordsAt("", verbs), flags: [help, version], takesFiles: false };
  return [root, ...(await placesOf(verbs, []))];
}

async function placesOf(
  verbs: readonly Verb[],
  parents: readonly string[],
): Promise<CompletionPlace[]> {
  const found: CompletionPlace[] = [];
  for (const { name, load } of verbs) {
    const { default: loaded } = await load();
    const own = [...parents, name];
    const path = own.join(" ");
    if (loaded.kind === "group") {
      found.push({ path, verbs: wordsAt("", loaded.verbs), flags: [help], takesFiles: false });
      append(found, await placesOf(loaded.verbs, own));
      continue;
    }
    const all: Arguments = { ...loaded.arguments, ...sharedArguments };
    const declared = Object.entries(all);
    found.push({
      path,
      verbs: wordsAt(`${name} `, verbs),
      flags: [...declared.flatMap(([word, argument]) => flagOf(word, argument)), help],
      takesFiles: declared.some(([, { kind }]) => kind === "positional"),
    });
  }
  return found;
}

const help: CompletionFlag = { word: "--help", about: "show this", values: undefined };
const version: CompletionFlag = { word: "--version", about: "print it", values: undefined };

/** Lists words after `start` in verbs' names, such as export in "studio export" after "studio ". */
const wordsAt = (start: string, verbs: readonly Verb[]): CompletionWord[] =>
  verbs.flatMap(({ name, summary }) => {
    const rest = name.startsWith(start) ? name.slice(start.length) : "";
    return rest === "" || rest.includes(" ") ? [] : [{ word: rest, about: brief(summary) }];
  });

function flagOf(name: string, argument: Argument): CompletionFlag[] {
  if (argument.kind === "positional") return [];
  const flag = { word: `--${name}`, about: brief(argument.description) };
  if (argument.kind === "switch") return [{ ...flag, values: undefined }];
  return [{ ...flag, values: argument.kind === "choice" ? argument.choices : [] }];
}

const most = 60;

/** The first words of a description: a list of completions has a line for each. */
function brief(text: string): string {
  const [first = ""] = text.replace(/\s+/g, " ").split(/[;:.(] |[(;]/);
  return first.length <= most ? first.trim() : `${first.slice(0, most - 1).replace(/ \S*$/, "")} …`;
}

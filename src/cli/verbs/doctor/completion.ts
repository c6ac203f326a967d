import { append } from "../../../core/arrays.js";
import { InputError } from "../../../core/errors.js";
import type { Argument, Arguments } from "../../../core/options.js";
import { type Command, command, sharedArguments, type Verb } from "../../command-line/command.js";
import { verbsBelow } from "../../command-line/help.js";

/** A script for zsh: a file _touchstone in a folder of $fpath, or one to `source`. */
function zshScript(places: readonly CompletionPlace[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [quoted(path)]));
  const values = places.flatMap(({ path, flags }) =>
    flags.flatMap(({ word, values }) => {
      if (values === undefined) return [];
      const offer = values.length === 0 ? "_files" : `compadd -- ${values.map(quoted).join(" ")}`;
      return [`    ${quoted(`${path} ${word}`)}) ${offer}; return ;;`];
    }),
  );
  const words = places.map(({ path, verbs, flags, takesFiles }) =>
    [
      `    ${quoted(path)})`,
      `      verbs=(${described(verbs)})`,
      `      flags=(${described(flags)})`,
      `      files=${takesFiles ? 1 : 0} ;;`,
    ].join("\n"),
  );
  return `#compdef touchstone
# Completion of touchstone for zsh. Made by: touchstone doctor completion zsh
_touchstone() {
  local at="" next i files=0
  local -a verbs flags
  for ((i = 2; i < CURRENT; i++)); do
    next="\${at:+$at }\${words[i]}"
    case "$next" in
      ${paths.join("|")}) at="$next" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  if [[ "\${words[CURRENT]}" != -* && \${#verbs} -gt 0 ]]; then
    _describe verb verbs
    [[ $files -eq 1 ]] && _files
  elif [[ "\${words[CURRENT]}" != -* && $files -eq 1 ]]; then
    _files
  else
    _describe -o flag flags
  fi
}
if [[ "\${funcstack[1]}" == _touchstone ]]; then _touchstone "$@"; else compdef _touchstone touchstone; fi
`;
}

/** Words with their descriptions, parted by a colon, as zsh's _describe reads them. */
const described = (words: readonly CompletionWord[]): string =>
  words.map(({ word, about }) => quoted(`${word}:${about}`)).join(" ");

/** A script for fish 3 and later. */
function fishScript(places: readonly CompletionPlace[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [quotedForFish(path)]));
  const lines = places.flatMap(({ path, verbs, flags, takesFiles }) => {
    const start = `complete -c touchstone -n ${quotedForFish(`__touchstone_at ${quotedForFish(path)}`)}`;
    return [
      ...(takesFiles ? [] : [`${start} -f`]),
      ...verbs.map(({ word, about }) => `${start} -f -a ${word} -d ${quotedForFish(about)}`),
      ...flags.map(({ word, about, values }) => {
        const takes =
          values === undefined
            ? ""
            : values.length === 0
              ? " -r -F"
              : ` -x -a ${quotedForFish(values.join(" "))}`;
        return `${start} -l ${word.slice(2)}${takes} -d ${quotedForFish(about)}`;
      }),
    ];
  });
  return `# Completion of touchstone for fish. Made by: touchstone doctor completion fish
function __touchstone_at
    set -l paths ${paths.join(" ")}
    set -l at
    for word in (commandline -opc)[2..]
        set -l next (string join ' ' -- $at $word)
        if contains -- $next $paths
            set at $next
        end
    end
    test "$at" = "$argv"
end
${lines.join("\n")}
`;
}

const quotedForFish = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** A text as bash and zsh read it, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A script for bash 3.2 and later. Where it offers nothing, bash completes file names. */
function bashScript(places: readonly CompletionPlace[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [quoted(path)]));
  const values = places.flatMap(({ path, flags }) =>
    flags.flatMap(({ word, values }) =>
      values === undefined
        ? []
        : [`    ${quoted(`${path} ${word}`)}) offer ${quoted(values.join(" "))}; return ;;`],
    ),
  );
  const words = places.map(({ path, verbs, flags, takesFiles }) => {
    const [named, flagged] = [verbs, flags].map((each) => each.map(({ word }) => word).join(" "));
    // A verb that takes no files is offered its flags before a dash is typed.
    const first = takesFiles || named !== "" ? named : flagged;
    const files = takesFiles ? " files=1" : "";
    return `    ${quoted(path)}) verbs=${quoted(first ?? "")} flags=${quoted(flagged ?? "")}${files} ;;`;
  });
  return `# Completion of touchstone for bash. Made by: touchstone doctor completion bash
_touchstone() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at="" next i verbs flags files=""
  offer() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case "$next" in
      ${paths.join("|")}) at="$next" ;;
    esac
  done
  COMPREPLY=()
  case "$at $before" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  if [[ "$word" == -* ]]; then offer "$flags"
  elif [[ -n "$word" || -z "$files" ]]; then offer "$verbs"; fi
}
complete -o default -F _touchstone touchstone
`;
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

const isShell = (name: string): name is keyof typeof scripts => Object.hasOwn(scripts, name);

/** The verb that prints a shell's completion of all `verbs`, made from their declarations. */
export const completionOf = (
  verbs: () => readonly Verb[],
  earlierNames: ReadonlyMap<string, string>,
): Command =>
  command({
    description:
      "Prints a script by which a shell completes verbs, flags and their values with the Tab key. " +
      "bash: put it into ~/.local/share/bash-completion/completions/touchstone. zsh: into a file " +
      "_touchstone in a folder of $fpath. fish: into ~/.config/fish/completions/touchstone.fish.",
    examples: [
      "touchstone doctor completion bash > touchstone.bash",
      "touchstone doctor completion fish > touchstone.fish",
    ],
    arguments: { shell: { kind: "positional", description: "bash, zsh or fish" } },
    async run({ given: { shell }, output }) {
      if (!isShell(shell)) {
        throw new InputError(
          `Expected one of ${Object.keys(scripts).join(", ")} for SHELL but received "${shell}"`,
        );
      }
      const places = await completionPlaces(verbs());
      // An earlier name is offered nowhere; once it is typed, it is completed as today's.
      const earlier = [...earlierNames].flatMap(([name, now]) =>
        places
          .filter(({ path }) => `${path} `.startsWith(`${now} `))
          .map((place) => ({ ...place, path: `${name}${place.path.slice(now.length)}` })),
      );
      const script = scripts[shell]([...places, ...earlier]);
      output.resultJson({ shell, script });
      if (!output.json) output.data(script);
    },
  });

/** A word that may stand at a place, and what it is. */
interface CompletionWord {
  readonly word: string;
  readonly about: string;
}

export interface CompletionFlag extends CompletionWord {
  /** Values to choose from; empty where it takes any, `undefined` where it takes none. */
  readonly values: readonly string[] | undefined;
}

/** Where a command line has come to: the verb so far, and what may follow it. */
interface CompletionPlace {
  /** Such as "analyze swap"; "" where no verb was typed. */
  readonly path: string;
  readonly verbs: readonly CompletionWord[];
  readonly flags: readonly CompletionFlag[];
  /** Takes words without a flag, mostly files. */
  readonly takesFiles: boolean;
}

/** All places of a command line. */
async function completionPlaces(verbs: readonly Verb[]): Promise<CompletionPlace[]> {
  const root = { path: "", verbs: wordsAt(verbs), flags: [help, version], takesFiles: false };
  return [root, ...(await placesOf(verbs, []))];
}

async function placesOf(
  verbs: readonly Verb[],
  parents: readonly string[],
): Promise<CompletionPlace[]> {
  const found: CompletionPlace[] = [];
  for (const { name, load } of verbs) {
    const loaded = await load().then(({ default: verb }) => verb, orNotInstalled);
    if (loaded === undefined) continue;
    const own = [...parents, name];
    const path = own.join(" ");
    if (loaded.kind === "group") {
      found.push({ path, verbs: wordsAt(loaded.verbs), flags: [help], takesFiles: false });
      append(found, await placesOf(loaded.verbs, own));
      continue;
    }
    const all: Arguments = { ...loaded.arguments, ...sharedArguments };
    const declared = Object.entries(all);
    found.push({
      path,
      verbs: wordsAt(verbsBelow(name, verbs)),
      flags: [...declared.flatMap(([word, argument]) => flagOf(word, argument)), help],
      takesFiles: declared.some(([, { kind }]) => kind === "positional"),
    });
  }
  return found;
}

/** A verb of a package that is not installed has no flags to complete. */
function orNotInstalled(error: unknown): undefined {
  if (!(error instanceof InputError)) throw error;
}

const help: CompletionFlag = { word: "--help", about: "show this", values: undefined };
const version: CompletionFlag = { word: "--version", about: "print it", values: undefined };

const wordsAt = (verbs: readonly Verb[]): CompletionWord[] =>
  verbs.flatMap(({ name, summary }) =>
    name.includes(" ") ? [] : [{ word: name, about: brief(summary) }],
  );

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

import { wrap } from "../terminal/wrap.js";
import { type Argument, type Arguments, type Positional, valueName } from "./arguments.js";
import { type Command, type CommandGroup, sharedArguments, type Verb } from "./command.js";

/** The help of a verb: what it does, how it is called, its arguments, examples. */
export function commandHelp(name: string, command: Command, width: number): string {
  const positionals = entriesOf(command.arguments).filter(([, { kind }]) => kind === "positional");
  const flags = entriesOf({ ...command.arguments, ...sharedArguments }).filter(
    ([, { kind }]) => kind !== "positional",
  );
  const usage = positionals.map(([key, argument]) =>
    argument.kind === "positional" ? positionalUsage(key.toUpperCase(), argument) : key,
  );
  return [
    wrap(command.description, width),
    `Usage: ${["touchstone", name, ...usage, "[flags]"].join(" ")}`,
    section("Arguments", positionals, width),
    section("Flags", [...flags, ["help", { kind: "switch", description: "show this" }]], width),
    ["Examples:", ...command.examples.map((example) => `  ${example}`)].join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function positionalUsage(name: string, { optional, repeated, ...given }: Positional): string {
  const usage = given.usage ?? (repeated ? `${name}...` : name);
  return optional ? `[${usage}]` : usage;
}

/** The help of `touchstone` itself or of a verb with sub-verbs. */
export function groupHelp(
  name: string,
  group: Pick<CommandGroup, "description" | "verbs">,
  width: number,
) {
  const command = name === "" ? "touchstone" : `touchstone ${name}`;
  return [
    wrap(group.description, width),
    `Usage: ${command} VERB [flags]`,
    `Verbs:\n${columns(
      group.verbs.map((verb: Verb) => [verb.name, verb.summary]),
      width,
    )}`,
    `${command} VERB --help shows a verb's flags and examples.`,
  ].join("\n\n");
}

const entriesOf = (declared: Arguments): [string, Argument][] => Object.entries(declared);

function section(title: string, entries: readonly [string, Argument][], width: number): string {
  if (entries.length === 0) return "";
  return `${title}:\n${columns(
    entries.map(([name, argument]) => [argumentTerm(name, argument), argumentText(argument)]),
    width,
  )}`;
}

/**
 * An argument as the help names it: `--out FILE`.
 *
 * @public the web site is made of it, too.
 */
export function argumentTerm(name: string, argument: Argument): string {
  if (argument.kind === "positional") return name.toUpperCase();
  if (argument.kind === "switch") return `--${name}`;
  const value = valueName(name, argument);
  return `--${name} ${value.length > 24 ? "NAME" : value}`;
}

/**
 * What the help says of an argument, with its choices and default.
 *
 * @public the web site is made of it, too.
 */
export function argumentText(argument: Argument): string {
  if (argument.kind === "positional" || argument.kind === "switch") return argument.description;
  const notes = [
    argument.kind === "choice" && argument.choices.join("|").length > 24
      ? `one of ${argument.choices.join(", ")}`
      : "",
    argument.repeated ? "may be repeated" : "",
    argument.required ? "required" : "",
    argument.default === undefined ? "" : `default ${argument.default}`,
  ].filter((note) => note !== "");
  return notes.length === 0
    ? argument.description
    : `${argument.description} (${notes.join("; ")})`;
}

function columns(rows: readonly (readonly [string, string])[], most: number): string {
  const width = Math.min(most < 80 ? 18 : 30, Math.max(...rows.map(([left]) => left.length)));
  const indent = " ".repeat(width + 4);
  return rows
    .map(([left, right]) => {
      const wrapped = wrap(right, most - indent.length).replaceAll("\n", `\n${indent}`);
      return left.length > width
        ? `  ${left}\n${indent}${wrapped}`
        : `  ${left.padEnd(width)}  ${wrapped}`;
    })
    .join("\n");
}

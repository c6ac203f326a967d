import { largestOf } from "../../core/arrays.js";
import { type Argument, type Arguments, type Positional, valueName } from "../../core/options.js";
import type { Environment } from "../environment.js";
import { asTyped } from "../program.js";
import { wrap } from "../terminal/wrap.js";
import { type Command, type CommandGroup, sharedArguments, type Verb } from "./command.js";

/** How wide help may be, and how the program was called. */
export interface HelpPage extends Pick<Environment, "program"> {
  readonly width: number;
}

/** Returns the verbs of two words whose first is this one, by their second. */
export const verbsBelow = (name: string, verbs: readonly Verb[]): Verb[] =>
  verbs.flatMap((verb) =>
    verb.name.startsWith(`${name} `) ? [{ ...verb, name: verb.name.slice(name.length + 1) }] : [],
  );

/** The help of a verb: what it does, how it is called, the verbs below it, its arguments, examples. */
export function commandHelp(
  name: string,
  command: Command & Partial<Pick<CommandGroup, "verbs">>,
  page: HelpPage,
): string {
  const { width } = page;
  const positionals = entriesOf(command.arguments).filter(([, { kind }]) => kind === "positional");
  const flags = entriesOf({ ...command.arguments, ...sharedArguments }).filter(
    ([, { kind }]) => kind !== "positional",
  );
  const usage = positionals.map(([key, argument]) =>
    argument.kind === "positional" ? positionalUsage(key.toUpperCase(), argument) : key,
  );
  return [
    wrap(asTyped(command.description, page), width),
    `Usage: ${[page.program, name, ...usage, "[flags]"].join(" ")}`,
    verbsText(command.verbs ?? [], page),
    section("Arguments", positionals, page),
    section("Flags", [...flags, ["help", { kind: "switch", description: "show this" }]], page),
    examplesText(command, page),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/**
 * A word without a flag as the usage shows it: `FILE...`, `[PROMPTS]`.
 *
 * @public the web site is made of it, too.
 */
export function positionalUsage(
  name: string,
  { optional, repeated, ...given }: Positional,
): string {
  const usage = given.usage ?? (repeated ? `${name}...` : name);
  return optional ? `[${usage}]` : usage;
}

/** The help of `touchstone` itself or of a verb with sub-verbs. */
export function groupHelp(
  name: string,
  group: Pick<CommandGroup, "description" | "examples" | "verbs">,
  page: HelpPage,
) {
  const { program, width } = page;
  const command = name === "" ? program : `${program} ${name}`;
  return [
    wrap(asTyped(group.description, page), width),
    `Usage: ${command} VERB [flags]`,
    verbsText(group.verbs, page),
    examplesText(group, page),
    `${command} VERB --help shows a verb's flags and examples.`,
  ].join("\n\n");
}

/** Lists verbs; one of two words is listed below the first of them. */
function verbsText(verbs: readonly Verb[], { width }: HelpPage): string {
  const listed = verbs.filter(({ name }) => !name.includes(" "));
  if (listed.length === 0) return "";
  return `Verbs:\n${columns(
    listed.map(({ name, summary }) => [name, summary]),
    width,
  )}`;
}

const examplesText = ({ examples }: Pick<CommandGroup, "examples">, page: HelpPage) =>
  ["Examples:", ...examples.map((example) => `  ${asTyped(example, page)}`)].join("\n");

const entriesOf = (declared: Arguments): [string, Argument][] => Object.entries(declared);

function section(title: string, entries: readonly [string, Argument][], page: HelpPage): string {
  if (entries.length === 0) return "";
  return `${title}:\n${columns(
    entries.map(([name, argument]) => [
      argumentTerm(name, argument),
      asTyped(argumentText(argument), page),
    ]),
    page.width,
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
 * Describes an argument for help, with its choices and default.
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
    argument.default === undefined ? "" : `default: ${argument.default}`,
  ].filter((note) => note !== "");
  return notes.length === 0
    ? argument.description
    : `${argument.description} (${notes.join("; ")})`;
}

function columns(rows: readonly (readonly [string, string])[], most: number): string {
  const width = Math.min(most < 80 ? 18 : 30, largestOf(rows.map(([left]) => left.length)));
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

import { append } from "../core/arrays.js";
import { GateError, IncompleteError, InputError, TouchstoneError } from "../core/errors.js";
import type { Foreseen } from "../core/step.js";
import { printableLines } from "../views/printable.js";
import type { Environment } from "./environment.js";
import { asTyped, version } from "./program.js";
import { styleFor } from "./terminal/style.js";
import { wrap, wrapAroundCommands } from "./terminal/wrap.js";

const mostProblems = 20;
const widest = 100;

/** Prints what went wrong on stderr: for people, or as one JSON object under --json. */
export function reportError(
  error: unknown,
  {
    environment,
    json,
    debug,
    foreseen = [],
  }: {
    environment: Environment;
    json: boolean;
    debug: boolean;
    foreseen?: readonly Foreseen[];
  },
): void {
  const isInterruption = environment.signal.aborted && !(error instanceof TouchstoneError);
  if (isInterruption && !json) {
    environment.stderr.write("Interrupted.\n");
    return;
  }
  const text = json
    ? errorAsJson(isInterruption ? interruption() : error, debug, foreseen)
    : errorAsText(error, environment, debug);
  environment.stderr.write(`${redact(text, environment.variables)}\n`);
}

const interruption = () => new TouchstoneError("interrupted", "Interrupted");

function errorAsJson(error: unknown, debug: boolean, foreseen: readonly Foreseen[]): string {
  const isOurs = error instanceof TouchstoneError;
  const problems = error instanceof InputError ? error.problems : [];
  return JSON.stringify({
    error: {
      code: isOurs ? error.code : "fault",
      message: messageOf(error),
      hint: (isOurs ? error.hint : howToReport()) ?? null,
      problems: problems.slice(0, mostProblems),
      problemCount: problems.length,
      ...(error instanceof IncompleteError ? { forecast: foreseen } : {}),
      ...(debug && error instanceof Error ? { stack: stackOf(error) } : {}),
    },
  });
}

function errorAsText(error: unknown, environment: Environment, debug: boolean): string {
  const style = styleFor(environment.stderr, environment.variables);
  // As all that is said: a terminal gets its width, a log each sentence in one line, to be searched.
  const { isTerminal, columns } = environment.stderr;
  const width = isTerminal ? Math.min(columns, widest) : Number.POSITIVE_INFINITY;
  const titled = (title: string, text: string) =>
    wrap(`${title} ${text}`, width).replace(title, () => style.red(title));
  const lines: string[] = [];
  if (error instanceof TouchstoneError) {
    lines.push(titled("Error:", printableLines(error.message)));
    const problems = error instanceof InputError ? error.problems.map(printableLines) : [];
    append(
      lines,
      problems.slice(0, mostProblems).map((problem) => listed(problem, width)),
    );
    if (problems.length > mostProblems) lines.push(`  and ${problems.length - mostProblems} more`);
    if (error.hint !== undefined) {
      const hint = asTyped(printableLines(error.hint), environment);
      lines.push(wrapAroundCommands(hint, width, environment.program));
    }
  } else {
    lines.push(
      titled("A fault of ours:", printableLines(messageOf(error))),
      wrap(howToReport(), width),
    );
  }
  if (debug && error instanceof Error) lines.push(printableLines(stackOf(error)));
  return lines.join("\n");
}

const listed = (problem: string, width: number) =>
  `  - ${wrap(problem, width - 4).replaceAll("\n", "\n    ")}`;

function howToReport(): string {
  return (
    "Please report it with the command line, this message and what --debug adds to it: " +
    `touchstone ${version()}, Node ${process.version}, ${process.platform} ${process.arch}.`
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\nCaused by: ${stackOf(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}

const secretName = /_(KEY|TOKEN|SECRET)$|^PGPASSWORD$/i;

/** Puts the variable's name where a key or token of the environment stands in a text. */
export function redact(text: string, variables: Environment["variables"]): string {
  let redacted = text;
  const secrets = Object.entries(variables)
    .flatMap(([name, value]) => (value && secretName.test(name) ? [{ name, value }] : []))
    // The longer first: one secret may be the beginning of another.
    .sort((a, b) => b.value.length - a.value.length);
  for (const { name, value } of secrets) {
    // Shorter ones are no keys, and hiding "1" everywhere would hide the message.
    if (value.length >= 6) redacted = redacted.replaceAll(value, `[${name}]`);
  }
  return redacted;
}

/** The promise to scripts: these numbers never change. */
export const exitCodes = {
  done: 0,
  fault: 1,
  input: 2,
  incomplete: 3,
  gate: 4,
  interrupted: 130,
} as const;

/** The exit code for what a verb threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InputError) return exitCodes.input;
  if (error instanceof IncompleteError) return exitCodes.incomplete;
  if (error instanceof GateError) return exitCodes.gate;
  // A full disk or a database that is away is nobody's fault here; what was asked for is not there.
  if (error instanceof TouchstoneError && ["disk", "store"].includes(error.code)) {
    return exitCodes.incomplete;
  }
  return exitCodes.fault;
}

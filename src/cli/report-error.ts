import { InputError, TouchstoneError } from "../core/errors.js";
import type { Environment } from "./environment.js";
import { asTyped } from "./program.js";
import { redact } from "./redact.js";
import { styleFor } from "./style.js";
import { version } from "./version.js";

const mostProblems = 20;

/** Prints what went wrong on stderr: for people, or as one JSON object under --json. */
export function reportError(
  error: unknown,
  { environment, json, debug }: { environment: Environment; json: boolean; debug: boolean },
): void {
  const isInterruption = environment.signal.aborted && !(error instanceof TouchstoneError);
  if (isInterruption && !json) {
    environment.stderr.write("Interrupted.\n");
    return;
  }
  const text = json
    ? errorAsJson(isInterruption ? interruption() : error, debug)
    : errorAsText(error, environment, debug);
  environment.stderr.write(`${redact(text, environment.variables)}\n`);
}

const interruption = () => new TouchstoneError("interrupted", "Interrupted");

function errorAsJson(error: unknown, debug: boolean): string {
  const isOurs = error instanceof TouchstoneError;
  return JSON.stringify({
    error: {
      code: isOurs ? error.code : "fault",
      message: messageOf(error),
      hint: (isOurs ? error.hint : howToReport()) ?? null,
      problems: error instanceof InputError ? error.problems : [],
      ...(debug && error instanceof Error ? { stack: stackOf(error) } : {}),
    },
  });
}

function errorAsText(error: unknown, environment: Environment, debug: boolean): string {
  const style = styleFor(environment.stderr, environment.variables);
  const lines: string[] = [];
  if (error instanceof TouchstoneError) {
    lines.push(`${style.red("Error:")} ${error.message}`);
    const problems = error instanceof InputError ? error.problems : [];
    lines.push(...problems.slice(0, mostProblems).map((problem) => `  - ${problem}`));
    if (problems.length > mostProblems) lines.push(`  and ${problems.length - mostProblems} more`);
    if (error.hint !== undefined) lines.push(asTyped(error.hint, environment));
  } else {
    lines.push(`${style.red("A fault of ours:")} ${messageOf(error)}`, howToReport());
  }
  if (debug && error instanceof Error) lines.push(stackOf(error));
  return lines.join("\n");
}

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

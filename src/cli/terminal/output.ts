import type { Json } from "../../core/json.js";
import type { Foreseen } from "../../core/step.js";
import { printable, printableLines } from "../../views/printable.js";
import { type AroundCommand, commandLine } from "../command-line/shell-words.js";
import type { Environment, TextSink } from "../environment.js";
import { asTyped } from "../program.js";
import { type Style, styleFor } from "./style.js";
import { wrapAroundCommands } from "./wrap.js";

/** How a verb speaks: results to stdout, everything about the work to stderr. */
export interface Output {
  /** Whether --json was given. */
  readonly json: boolean;
  /** Colours for text that goes to stdout; plain where there is no terminal or NO_COLOR is set. */
  readonly style: Style;
  /** Text for people on stdout, with a line end. Silent under --json. */
  result(text: string): void;
  /** The one JSON object on stdout under --json; silent without. */
  resultJson(value: Json): void;
  /** Data on stdout as it is (a sample file, a CSV). Nothing else is then written there. */
  data(text: string): void;
  /** A line about the work, on stderr. */
  note(text: string): void;
  /** Keeps a forecast for whoever reads the JSON of a command that a limit stopped. */
  foresee(work: Foreseen): void;
  readonly foreseen: readonly Foreseen[];
  /** A line that asks for attention, on stderr. */
  warn(text: string): void;
  /** The state of long work on stderr: the line is redrawn on a terminal, silent elsewhere. */
  progress(line: string): void;
  /** The next useful command, by its words after `touchstone`; printed as the last line of all. */
  nextCommand(words: readonly string[], around?: AroundCommand): void;
  /** Called once by `main` when the verb has ended well. */
  finish(): void;
  /** Wipes a progress line, so that an error starts on a clean one. */
  clear(): void;
}

export function outputFor({
  environment,
  json,
}: {
  environment: Environment;
  json: boolean;
}): Output {
  const { stdout, stderr, watcher } = environment;
  const errorStyle = styleFor(stderr, environment.variables);
  // A program that asked for JSON finds on stderr nothing but the error object, if there is one.
  const isQuiet = json && !stderr.isTerminal && watcher === undefined;
  let next: string | undefined;
  let carriesData = json;
  let drawn = 0;
  const foreseen: Foreseen[] = [];

  // Tables are laid out for their width already; a file gets each sentence as it is.
  const fitting = (text: string, { isTerminal, columns }: TextSink) =>
    isTerminal ? wrapAroundCommands(text, columns, environment.program) : text;
  const clear = () => {
    if (drawn > 0) stderr.write(`\r\u001b[${drawn > 1 ? `${drawn - 1}A\u001b[` : ""}J`);
    drawn = 0;
  };
  const say = (text: string) => {
    if (isQuiet) return;
    clear();
    stderr.write(`${fitting(asTyped(text, environment), stderr)}\n`);
  };
  return {
    json,
    style: styleFor(stdout, environment.variables),
    result(text) {
      if (json) return;
      clear();
      stdout.write(`${fitting(text, stdout)}\n`);
    },
    resultJson(value) {
      if (!json) return;
      clear();
      stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    data(text) {
      carriesData = true;
      clear();
      stdout.write(text);
    },
    foreseen,
    foresee: (work) => void foreseen.push(work),
    note: (text) => say(printableLines(text)),
    warn: (text) => say(`${errorStyle.yellow("Note:")} ${printableLines(text)}`),
    progress(line) {
      watcher?.progress(line);
      if (!stderr.isTerminal) return;
      clear();
      stderr.write(line);
      drawn = rowsOf(line, stderr);
    },
    nextCommand(words, around) {
      next = printable(commandLine(words, { ...around, program: environment.program }));
    },
    finish() {
      clear();
      if (next === undefined) return;
      // Never broken into lines: it is to be pasted.
      if (!carriesData) {
        stdout.write(`\n${styleFor(stdout, environment.variables).dim("Next:")} ${next}\n`);
      } else if (!isQuiet) stderr.write(`${errorStyle.dim("Next:")} ${next}\n`);
    },
    clear,
  };
}

const rowsOf = (line: string, sink: TextSink) =>
  line
    .split("\n")
    .reduce((rows, text) => rows + Math.max(1, Math.ceil(text.length / sink.columns)), 0);

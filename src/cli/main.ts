import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { parseEnv } from "node:util";
import { once } from "../core/cache.js";
import { InputError, Planned, UnknownColumns } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { fileError } from "../files/file-error.js";
import { passwordsIn } from "../files/postgres/address.js";
import { checkRegularNow } from "../files/regular-file.js";
import { pluralText } from "../views/number-text.js";
import {
  type Command,
  type CommandGroup,
  invocationOf,
  sharedArguments,
  type Verb,
} from "./command-line/command.js";
import { commandHelp, groupHelp, verbsBelow } from "./command-line/help.js";
import { insteadOf, parseArguments } from "./command-line/parse-arguments.js";
import { inStore, withSecrets } from "./command-line/store-argument.js";
import type { Environment, TextSink, Watcher } from "./environment.js";
import { programName, version } from "./program.js";
import { exitCodeOf, exitCodes, reportError } from "./report-error.js";
import { type Output, outputFor } from "./terminal/output.js";
import { earlierNames, verbs } from "./verbs.js";

/** The real process around `runCommandLine`: the only place that exits. */
export async function main(words: readonly string[]): Promise<void> {
  // Whoever lists the processes of this machine reads their words.
  if (words.some((word) => passwordsIn(word).length > 0)) process.title = "touchstone";
  const interruption = once(listenForInterruption);
  // Of this process alone: what it starts is not watched.
  const { TOUCHSTONE_JOB: job } = process.env;
  delete process.env.TOUCHSTONE_JOB;
  const watcher = job === undefined ? {} : { watcher: await watchedIn(job) };
  const variables = withEnvironmentFile(process.env, process.cwd());
  // Drivers of databases and of object storage read the process's own.
  for (const [name, value] of Object.entries(variables)) {
    if (/^(PG|AWS_)/.test(name)) process.env[name] ??= value;
  }
  // The version that is installed runs on this Node; which later ones will is said on their pages.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const environment: Environment = {
    variables,
    workingDirectory: process.cwd(),
    program: programName({
      script: process.argv[1] ?? "touchstone",
      workingDirectory: process.cwd(),
      variables: process.env,
    }),
    stdin: process.stdin,
    stdout: sinkOf(process.stdout, process.env),
    stderr: sinkOf(process.stderr, process.env),
    now: () => new Date(),
    open: openPage,
    ...watcher,
    get signal() {
      return interruption();
    },
  };
  const fail = (error: unknown): never => {
    const code = exitCodeOf(error);
    const debug = code === exitCodes.fault;
    reportError(error, { environment, json: words.includes("--json"), debug });
    process.exit(code);
  };
  process.on("uncaughtException", fail);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // Whoever read us has read enough (`touchstone … | head`); what else the command does is still wanted,
    // and so is its exit code: a missed gate is missed unread.
    if (error.code === "EPIPE") return;
    fail(fileError(error, "write", "standard output"));
  });
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    // Nobody is left to be told.
    if (error.code !== "EPIPE") process.exit(exitCodes.incomplete);
  });
  const code = await runCommandLine(words, environment);
  // Pipes are written in the background; what is still on its way must arrive before the exit.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
}

async function watchedIn(job: string): Promise<Watcher> {
  const { watchedIn } = await import("./environment.js");
  return watchedIn(job);
}

/**
 * Aborted when the process is interrupted. Until a verb asks for it an interruption ends the process, as it
 * does any other: a verb that computes without a pause would never hear of it.
 */
function listenForInterruption(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
      interruption.abort();
      process.stderr.write("\nStopping after the work in hand; interrupt again to stop at once.\n");
    });
  }
  return interruption.signal;
}

function sinkOf(stream: NodeJS.WriteStream, { COLUMNS }: NodeJS.ProcessEnv): TextSink {
  return {
    write: (text) => {
      stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      // Undefined outside a terminal, 0 in a terminal without a size: then COLUMNS counts, else 80.
      return stream.columns || Number.parseInt(COLUMNS ?? "", 10) || 80;
    },
  };
}

const flushed = (stream: Writable) =>
  new Promise<void>((resolve) => {
    stream.write("", () => resolve());
  });

/** Commands that open an address in a browser, by system. */
const openers: Readonly<Record<string, readonly [program: string, ...words: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address or a file in the browser. Where there is none, what was printed is enough. */
export function openPage(address: string): void {
  const [program, ...words] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...words, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

const description =
  "Touchstone says which text-to-image model is better, and whether the metric, judge or person " +
  "that says so can be trusted.";

const examples = [
  "touchstone demo",
  "touchstone example contrastive | touchstone analyze contrastive -",
] as const;

/** Runs one command line to its exit code. Prints through the environment and never throws. */
export async function runCommandLine(
  line: readonly string[],
  outside: Environment,
  root: readonly Verb[] = verbs,
): Promise<number> {
  // Whatever fails: no password of an address among the words is ever shown.
  const environment = withSecrets(outside, line);
  const words = line[0] === "help" ? [...line.slice(1), "--help"] : line;
  const beforeDashes = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  const json = beforeDashes.includes("--json");
  const debug = beforeDashes.includes("--debug") || Boolean(environment.variables.TOUCHSTONE_DEBUG);
  const output = outputFor({ environment, json });
  try {
    const wantsHelp = beforeDashes.some((word) => word === "--help" || word === "-h");
    if (words.length === 1 && (words[0] === "--version" || words[0] === "-v")) {
      output.data(`${version()}\n`);
      return exitCodes.done;
    }
    const { name, rest, found } = await findCommand(words, { description, examples, verbs: root });
    const [first = ""] = words;
    const now = earlierNames.get(first);
    if (now !== undefined && name.startsWith(now))
      output.warn(`touchstone ${first} is now touchstone ${now}`);
    if (found.kind === "group" || wantsHelp) {
      const page = { width: output.style.width, program: environment.program };
      const help =
        found.kind === "group"
          ? groupHelp(name, found, page)
          : commandHelp(name, { ...found, verbs: verbsBelow(name, root) }, page);
      output.data(`${help}\n`);
      return exitCodes.done;
    }
    const given = parseArguments(rest, { ...found.arguments, ...sharedArguments }, name);
    const call = inStore(found.arguments, { given, environment, output });
    const limits =
      "max-cost" in found.arguments && (await found.asksModels?.(given, environment)) !== false
        ? await (await import("./configuration/configuration.js")).configuredLimits(
            given,
            environment,
          )
        : {};
    await found
      .run(invocationOf({ name, command: found }, { ...call, limits }))
      .catch((error: unknown) => {
        if (!(error instanceof Planned)) throw error;
        showPlanned(error, output);
      });
    output.finish();
    return environment.signal.aborted ? exitCodes.interrupted : exitCodes.done;
  } catch (error) {
    output.clear();
    reportError(await withReader(error, words), {
      environment,
      json,
      debug,
      foreseen: output.foreseen,
    });
    return environment.signal.aborted ? exitCodes.interrupted : exitCodeOf(error);
  }
}

/** Shows a run that was planned and no more. */
function showPlanned({ run, steps }: Planned, output: Output): void {
  output.resultJson({ run: run ?? null, steps: [...steps] });
  if (run === undefined) {
    output.result("Nothing is left to ask. No run was planned.");
    return;
  }
  output.result(
    `Wrote the recipe of ${run}: ${pluralText(steps.length, "step")}. Nothing was asked.`,
  );
  output.nextCommand(["run", "plan", run]);
}

/** Names the command that reads a table whose columns say nothing to the verb. */
async function withReader(error: unknown, words: readonly string[]): Promise<unknown> {
  if (!(error instanceof UnknownColumns)) return error;
  return (await import("../conclusions/guess-table.js")).withReader(error, words);
}

/** Verb or group that words of a command line name, and the rest. */
interface FoundCommand {
  readonly name: string;
  readonly rest: readonly string[];
  readonly found: Command | CommandGroup;
}

/**
 * Walks from the root down to the verb that the words name, by its name or an earlier one.
 *
 * @throws InputError for a word that is no verb, with the nearest one as hint.
 */
export async function findCommand(
  words: readonly string[],
  root: Omit<CommandGroup, "kind">,
  parents: readonly string[] = [],
): Promise<FoundCommand> {
  const [first, ...rest] = words;
  const name = parents.join(" ");
  if (first === "--help" || first === "-h" || (first === undefined && parents.length === 0)) {
    return { name, rest: [], found: { kind: "group", ...root } };
  }
  if (first === undefined) {
    throw new InputError(`Expected a verb after touchstone ${name} but received nothing`, {
      hint: `It has ${root.verbs.map((verb) => verb.name).join(", ")}. See: touchstone ${name} --help`,
    });
  }
  // A verb of two words, such as "studio export", stands beside the one that the first word names.
  const two = root.verbs.find((candidate) => candidate.name === `${first} ${rest[0]}`);
  const verb = two ?? root.verbs.find((candidate) => candidate.name === first);
  if (verb === undefined && root.otherwise?.takes(first) === true) {
    return { name, rest: words, found: (await root.otherwise.load()).default };
  }
  if (verb === undefined) {
    const now = parents.length === 0 ? earlierNames.get(first) : undefined;
    if (now === undefined) throw unknownVerb(first, parents, root.verbs);
    return findCommand([...now.split(" "), ...rest], root);
  }
  const { default: loaded } = await verb.load();
  const path = [...parents, verb.name];
  const left = two === undefined ? rest : rest.slice(1);
  return loaded.kind === "group"
    ? findCommand(left, loaded, path)
    : { name: path.join(" "), rest: left, found: loaded };
}

function unknownVerb(word: string, parents: readonly string[], known: readonly Verb[]) {
  const names = known.map((verb) => verb.name).filter((name) => !name.includes(" "));
  // By its own name, by the last word of a verb of two, or by an earlier one.
  const words = new Map([
    ...(parents.length === 0 ? earlierNames : []),
    ...known.map(({ name }) => [name.slice(name.indexOf(" ") + 1), name] as const),
  ]);
  const meant = words.get(nearest(word, words.keys()) ?? "");
  const command = ["touchstone", ...parents].join(" ");
  const what = word.startsWith("-") ? "flag" : "verb";
  return new InputError(
    `Unknown ${what} "${word}" for ${command}` +
      (meant === undefined ? `; it has the verbs ${names.join(", ")}` : ""),
    {
      hint:
        insteadOf([...parents, word].join(" ")) ??
        (meant === undefined
          ? `See: ${command} --help`
          : `Did you mean ${meant}? See: ${command} --help`),
    },
  );
}

/** The variables of a folder's `.env`, with the real environment's over them. */
export function withEnvironmentFile(
  variables: Environment["variables"],
  workingDirectory: string,
): Environment["variables"] {
  let text: string;
  try {
    checkRegularNow(join(workingDirectory, ".env"));
    text = readFileSync(join(workingDirectory, ".env"), "utf8");
  } catch {
    // Most folders have none, and one that can't be read must not stop a verb that needs no key.
    return variables;
  }
  return { ...parseEnv(text), ...variables };
}

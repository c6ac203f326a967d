import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { once } from "../core/cache.js";
import { fileError } from "../files/file-error.js";
import { passwordsIn } from "../files/postgres/address.js";
import { runCommandLine } from "./command-line/run-command-line.js";
import { withEnvironmentFile } from "./configuration/environment-file.js";
import type { Environment, TextSink } from "./environment.js";
import { exitCodeOf, exitCodes } from "./exit-codes.js";
import { programName } from "./program.js";
import { reportError } from "./report-error.js";
import type { Watcher } from "./watched.js";

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
  const { watchedIn } = await import("./watched.js");
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

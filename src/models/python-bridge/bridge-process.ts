import { spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { boundedLines } from "./bounded-lines.js";

/** How a bridge is started. */
export interface BridgeCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  /** All variables that it sees; this process's own where not given. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A line of a bridge, in bytes: an embedding of 100,000 numbers and more. */
const longestLine = 4 * 1024 * 1024;
/** Length of stderr that is kept. */
const keptLines = 20;
const longestKept = 400;

/** One running process that speaks lines. */
export class BridgeProcess {
  readonly #child;
  readonly #lastWords: string[] = [];
  #end: string | undefined;
  readonly ended: Promise<void>;

  constructor(
    { program, arguments: words, environment }: BridgeCommand,
    {
      onLine,
      onEnd,
    }: {
      readonly onLine: (line: string) => void;
      /** Called once, with how it ended as a sentence. */
      readonly onEnd: (how: string, cause?: NodeJS.ErrnoException) => void;
    },
  ) {
    this.#child = spawn(program, [...words], {
      stdio: ["pipe", "pipe", "pipe"],
      ...(environment === undefined ? {} : { env: { ...environment } }),
    });
    const { stdin, stdout, stderr } = this.#child;
    stdout.on(
      "data",
      boundedLines({
        longest: longestLine,
        line: (text) => {
          if (this.#end === undefined) onLine(text);
        },
        tooLong: () => this.kill(`sent a line of more than ${longestLine} bytes`),
      }),
    );
    this.#keepLastWords(stderr);
    // A pipe that breaks is told by the end of the process.
    stdin.on("error", () => {});
    this.ended = new Promise((resolve) => {
      const end = (how: string, cause?: NodeJS.ErrnoException) => {
        this.#end ??= how;
        resolve();
        onEnd(this.#end, cause);
      };
      this.#child.once("error", (cause) => end(`could not be started: ${cause.message}`, cause));
      this.#child.once("close", (code, signal) =>
        end(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`),
      );
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Its last words on stderr, to be put after how it ended; empty where it wrote nothing. */
  get lastWords(): string {
    const lines = this.#lastWords.map((line) => `\n  ${line}`);
    return lines.length === 0 ? "" : `. It last wrote:${lines.join("")}`;
  }

  /** Resolves when its pipe takes more, or when it has ended. */
  async send(line: string): Promise<void> {
    const { stdin } = this.#child;
    if (this.#end !== undefined || stdin.write(`${line}\n`)) return;
    const drained = new Promise<void>((resolve) => stdin.once("drain", resolve));
    await Promise.race([drained, this.ended]);
  }

  /** Ends it at once, whatever it is doing. */
  kill(why: string): void {
    this.#end ??= why;
    this.#child.kill("SIGKILL");
  }

  /** Tells it that nothing more is asked: it ends by itself. */
  finish(): void {
    this.#child.stdin.end();
  }

  /** Whether this program stays for it; idle, it must not keep a finished program from ending. */
  hold(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    const parts: (Writable | Readable)[] = [stdin, stdout, stderr];
    const sockets = parts.filter((stream) => stream instanceof Socket);
    for (const part of [this.#child, ...sockets]) isHeld ? part.ref() : part.unref();
  }

  #keepLastWords(stderr: Readable): void {
    let open = "";
    const keep = (line: string) => {
      if (line.trim() !== "") this.#lastWords.push(line.slice(0, longestKept));
      if (this.#lastWords.length > keptLines) this.#lastWords.shift();
    };
    stderr.setEncoding("utf8");
    stderr.on("data", (text: string) => {
      const lines = (open + text).split(/[\r\n]+/);
      open = (lines.pop() ?? "").slice(-longestKept);
      for (const line of lines) keep(line);
    });
    stderr.on("end", () => keep(open));
  }
}

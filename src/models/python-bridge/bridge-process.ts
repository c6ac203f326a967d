import { spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { InputError, type TouchstoneError } from "../../core/errors.js";
import { readJson } from "../../core/read-json.js";
import { NoAnswer, type UnscoredReason } from "../../core/unscored.js";

/** The command that starts a bridge. */
export interface BridgeCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  /** All its environment variables; by default those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The most bytes of a line: enough for an embedding of 100,000 numbers. */
const longestLine = 4 * 1024 * 1024;
/** How much of stderr is kept: lines, and characters of each. */
const keptLines = 20;
const longestKept = 400;

/** A running process that exchanges lines. */
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
    // The end of the process reports a broken pipe.
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

  /** The last lines of stderr, to follow the sentence on its end; empty where it wrote none. */
  get lastWords(): string {
    const lines = this.#lastWords.map((line) => `\n  ${line}`);
    return lines.length === 0 ? "" : `. It last wrote:${lines.join("")}`;
  }

  /** Resolves when the pipe accepts more, or when the process has ended. */
  async send(line: string): Promise<void> {
    const { stdin } = this.#child;
    if (this.#end !== undefined || stdin.write(`${line}\n`)) return;
    const drained = new Promise<void>((resolve) => stdin.once("drain", resolve));
    await Promise.race([drained, this.ended]);
  }

  /** Kills it at once. */
  kill(why: string): void {
    this.#end ??= why;
    this.#child.kill("SIGKILL");
  }

  /** Closes its input, so that it ends by itself. */
  finish(): void {
    this.#child.stdin.end();
  }

  /** Lets this program wait for it or not: an idle bridge must not keep a finished program alive. */
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

/**
 * Cuts a stream of bytes into lines of UTF-8 without their line ends. A line of more than `longest` bytes is
 * not kept in memory: `tooLong` is called once, and the rest is ignored.
 */
function boundedLines({
  longest,
  line,
  tooLong,
}: {
  readonly longest: number;
  readonly line: (text: string) => void;
  readonly tooLong: () => void;
}): (chunk: Uint8Array) => void {
  let parts: Uint8Array[] = [];
  let length = 0;
  let isOver = false;
  return (chunk) => {
    let start = 0;
    while (!isOver && start < chunk.length) {
      const end = chunk.indexOf(newline, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      length += part.length;
      if (length > longest) {
        isOver = true;
        parts = [];
        tooLong();
        return;
      }
      parts.push(part);
      if (end < 0) return;
      const text = Buffer.concat(parts).toString("utf8");
      parts = [];
      length = 0;
      start = end + 1;
      line(text);
    }
  };
}

const newline = 10;

/** The protocol that this side speaks; `bridge/touchstone_bridge/serve.py` describes it. */
export const protocolVersion = 1;

export const abilities = [
  "reward",
  "probability-of-yes",
  "embed-image",
  "embed-text",
  "localize",
] as const;

/** Request that a backend can answer. */
export type Ability = (typeof abilities)[number];

/** A bridge's first message, before it is asked anything. */
export const helloSchema = z.object({
  type: z.literal("hello"),
  protocol: z.number(),
  version: z.string(),
  backend: z.string(),
  abilities: z.array(z.string()),
});

const failureSchema = z.object({
  kind: z.string(),
  message: z.string(),
  hint: z.string().optional(),
});

/** The answer to one item; other items of the request may have none. */
export const resultSchema = z.union([
  z.object({
    value: z.union([z.number(), z.array(z.number()).min(1)]),
    /** Of a text that was cut, and the share of an image's pixels that were cut off. */
    tokens: z.object({ read: z.int(), of: z.int() }).optional(),
    unseen: z.number().min(0).max(1).optional(),
  }),
  z.object({ error: failureSchema }),
]);

/** An answer to one request. */
export const replySchema = z.union([
  z.object({ id: z.int(), error: failureSchema }),
  z.object({ id: z.int(), results: z.array(z.unknown()) }),
  z.object({ id: z.int(), result: z.record(z.string(), z.unknown()) }),
]);

export type Reply = z.output<typeof replySchema>;
type Failure = z.output<typeof failureSchema>;

/** A backend's message once its model is loaded. */
export const factsSchema = z.object({
  packages: z.record(z.string(), z.string().nullable()),
  device: z.string().optional(),
  logitScale: z.number().positive().optional(),
  /** A user's own function as it describes itself. */
  metric: z.record(z.string(), z.unknown()).optional(),
});

export type Facts = z.output<typeof factsSchema>;

const reasons: ReadonlyMap<string, UnscoredReason> = new Map([
  ["bad-input", "bad-input"],
  ["not-supported", "not-applicable"],
  ["not-finite", "unparsable"],
]);

const ofInstallation = ["missing-package", "load-failed"];

/**
 * The error for a failure: InputError for the installation, which ends the work; NoAnswer for anything
 * else.
 */
export function errorOf({ kind, message, hint }: Failure): TouchstoneError | NoAnswer {
  if (!ofInstallation.includes(kind)) {
    return new NoAnswer(reasons.get(kind) ?? "provider-error", message);
  }
  return new InputError(message, hint === undefined ? {} : { hint });
}

/** The value of a line, as `readJson` returns it; `undefined` where it is not JSON. */
export function jsonOf(line: string): unknown {
  try {
    return readJson(line);
  } catch {
    return undefined;
  }
}

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

/** The most bytes of a frame: a picture of 8,192 x 8,192 pixels. */
const longestFrame = 256 * 1024 * 1024;
/** How much of stderr is kept: lines, and characters of each. */
const keptLines = 20;
const longestKept = 400;

/** A message of a bridge, and the bytes that follow it. */
export interface Frame {
  readonly message: unknown;
  readonly follows: Buffer;
}

/** A running process that is sent lines and answers with frames. */
export class BridgeProcess {
  readonly #child;
  readonly #lastWords: string[] = [];
  #end: string | undefined;
  readonly ended: Promise<void>;

  constructor(
    { program, arguments: words, environment }: BridgeCommand,
    {
      onFrame,
      onNoFrame,
      onEnd,
    }: {
      readonly onFrame: (frame: Frame) => void;
      /** Called once with the beginning of what is no frame. */
      readonly onNoFrame: (text: string) => void;
      /** Called once, with how it ended as a sentence. */
      readonly onEnd: (how: string, cause?: NodeJS.ErrnoException) => void;
    },
  ) {
    this.#child = spawn(program, [...words], {
      stdio: ["pipe", "pipe", "pipe"],
      ...(environment === undefined ? {} : { env: { ...environment } }),
    });
    const { stdin, stdout, stderr } = this.#child;
    const frames = framesIn({
      frame: (frame) => {
        if (this.#end === undefined) onFrame(frame);
      },
      noFrame: (text) => {
        onNoFrame(text);
        this.kill(`answered what was not asked: ${text}`);
      },
    });
    stdout.on("data", frames);
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
  async send(...requests: readonly object[]): Promise<void> {
    const { stdin } = this.#child;
    const lines = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
    if (this.#end !== undefined || stdin.write(lines)) return;
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

/** Bytes before a frame's message: four letters, then the bytes of the message and of what follows. */
const headBytes = 12;
const letters = Buffer.from("TBF2");

/** Cuts a stream of bytes into frames; what is none, or too long, is told once, and the rest is ignored. */
function framesIn({
  frame,
  noFrame,
}: {
  readonly frame: (frame: Frame) => void;
  readonly noFrame: (text: string) => void;
}): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let needed = headBytes;
  let isOver = false;
  const refuse = (bytes: Buffer) => {
    isOver = true;
    parts = [];
    noFrame(bytes.toString("utf8", 0, 200));
  };
  return (chunk) => {
    if (isOver) return;
    parts.push(chunk);
    length += chunk.length;
    if (length < needed && parts.length > 1) return;
    let bytes = Buffer.concat(parts, length);
    for (;;) {
      const isOurs = letters.subarray(0, bytes.length).equals(bytes.subarray(0, letters.length));
      if (!isOurs) return refuse(bytes);
      needed = headBytes;
      if (bytes.length < needed) break;
      const told = bytes.readUInt32LE(4);
      needed += told + bytes.readUInt32LE(8);
      if (needed > longestFrame) return refuse(bytes);
      if (bytes.length < needed) break;
      const message = jsonOf(bytes.toString("utf8", headBytes, headBytes + told));
      frame({ message, follows: bytes.subarray(headBytes + told, needed) });
      bytes = bytes.subarray(needed);
    }
    parts = [bytes];
    length = bytes.length;
  };
}

/** The protocol that this side speaks; `bridge/touchstone_bridge/protocol.py` describes it. */
export const protocolVersion = 2;

export const abilities = [
  "reward",
  "probability-of-yes",
  "embed-image",
  "embed-text",
  "localize",
  "generate",
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

/** The answer to one item, where its numbers or bytes follow the message; other items of the request may have none. */
export const resultSchema = z.union([
  z.object({ error: failureSchema }),
  z.object({
    value: z.number().optional(),
    /** How many numbers of 64 bits. */
    numbers: z.int().positive().optional(),
    bytes: z.int().positive().optional(),
    revisedPrompt: z.string().optional(),
    /** Of a text that was cut, and the share of an image's pixels that were cut off. */
    tokens: z.object({ read: z.int(), of: z.int() }).optional(),
    unseen: z.number().min(0).max(1).optional(),
  }),
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
  ["timeout", "timeout"],
  ["refused", "refused"],
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

/** The value of a text, as `readJson` returns it; `undefined` where it is not JSON. */
function jsonOf(line: string): unknown {
  try {
    return readJson(line);
  } catch {
    return undefined;
  }
}

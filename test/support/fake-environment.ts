import type { Environment } from "../../src/cli/environment.js";
import { keepPrinted } from "./printed.js";

export interface FakeEnvironment extends Environment {
  /** What was written so far. */
  readonly written: { stdout: string; stderr: string };
  /** Pages that were opened. */
  readonly opened: string[];
  interrupt(): void;
}

/** An outside without a process: what is written is kept, time stands still. */
export function fakeEnvironment({
  variables = {},
  workingDirectory = "/nowhere",
  stdin = "",
  isTerminal = false,
  columns = 100,
}: {
  variables?: Environment["variables"];
  workingDirectory?: string;
  stdin?: string | Uint8Array;
  isTerminal?: boolean;
  columns?: number;
} = {}): FakeEnvironment {
  const written = { stdout: "", stderr: "" };
  const opened: string[] = [];
  keepPrinted(written);
  const interruption = new AbortController();
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
    },
    isTerminal,
    columns,
  });
  return {
    variables,
    workingDirectory,
    program: "touchstone",
    stdin: (async function* () {
      yield typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
    })(),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    now: () => new Date("2000-01-01T00:00:00Z"),
    opened,
    open: (address) => opened.push(address),
    signal: interruption.signal,
    written,
    interrupt: () => interruption.abort(),
  };
}

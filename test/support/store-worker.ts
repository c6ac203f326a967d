import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { DescribedStep } from "../../src/core/recipe.js";

const program = fileURLToPath(new URL("./store-worker.mjs", import.meta.url));

/** A writer of a run in a process of its own. */
export class OtherWorker {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** Starts one, which is at work once this resolves. It is killed when the test ends. */
  static async start(place: string, steps: readonly DescribedStep[]): Promise<OtherWorker> {
    const child = spawn(process.execPath, [program, place, JSON.stringify(steps)]);
    child.stderr.pipe(process.stderr);
    onTestFinished(() => void child.kill("SIGKILL"));
    const worker = new OtherWorker(child);
    await worker.answer();
    return worker;
  }

  /** Has it do something; resolves with its answer. */
  async ask(what: object): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify(what)}\n`);
    return this.answer();
  }

  async answer(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("Expected an answer of a worker but it has ended");
    return JSON.parse(value);
  }

  /** Kills it where it stands; resolves when it is gone. */
  async kill(): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }
}

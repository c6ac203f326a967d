import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));

/** A studio in a process of its own that is killed and started again on the same port. */
export class MortalStudio {
  readonly #directory: string;
  /** Below those that are given to whoever asks elsewhere, so that it is free again after a kill. */
  readonly #port = 10_000 + randomInt(20_000);
  #child: ChildProcess | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
    onTestFinished(() => {
      this.#child?.kill("SIGKILL");
    });
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    for (let isListening = false; !isListening; ) {
      const words = [
        "studio",
        this.#directory,
        "--port",
        String(this.#port),
        "--no-open",
        "--json",
      ];
      const child = spawn(process.execPath, [bin, ...words], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      this.#child = child;
      // The system may take a moment to give back the port of one that was killed.
      isListening = await Promise.race([
        once(child.stdout, "data").then(([printed]) => String(printed).includes('"url"')),
        once(child, "close").then(() => false),
      ]);
    }
  }

  /** Ends it as a power cut would, whatever it is at, and starts another. One after the other. */
  kill(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      const child = this.#child;
      if (child === undefined) return;
      const gone = once(child, "close");
      child.kill("SIGKILL");
      await gone;
      await this.start();
    });
    return this.#turn;
  }
}

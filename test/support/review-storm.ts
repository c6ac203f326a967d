import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));

/** A studio in a process of its own that is killed and started again on the same port. */
export class MortalStudio {
  readonly #directory: string;
  #port = 0;
  #child: ChildProcess | undefined;

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
    const words = ["studio", this.#directory, "--port", String(this.#port), "--no-open", "--json"];
    const child = spawn(process.execPath, [bin, ...words], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const [printed] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    this.#port = Number(new URL(JSON.parse(printed).url).port);
  }

  /** Ends it as a power cut would, whatever it is at, and starts another. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.kill("SIGKILL");
    await once(child, "close");
    await this.start();
  }
}

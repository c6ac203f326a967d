import type { AnalysisProblem, Question, Questions, Reply } from "./analysis.js";
import { newWorker } from "./new-worker.js";

/** A table that can't be read, or nothing concluded from, as the worker said it. */
export class AnalysisError extends Error {
  readonly hint: string | undefined;
  readonly problems: readonly string[];

  constructor({ message, hint, problems }: AnalysisProblem) {
    super(message);
    this.hint = hint;
    this.problems = problems;
  }
}

/** Analyses tables beside the page, so that it stays quick. Nothing is sent anywhere. */
export class Analyst {
  #worker: Worker | undefined;
  readonly #open = new Map<
    number,
    { resolve(gets: unknown): void; reject(error: AnalysisError): void }
  >();
  #asked = 0;

  /** @throws AnalysisError for a table that can't be read or concluded from. */
  ask<Kind extends keyof Questions>(
    kind: Kind,
    asks: Questions[Kind]["asks"],
  ): Promise<Questions[Kind]["gets"]> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      // The worker answers a question of a kind by what that kind gets.
      this.#open.set(id, { resolve: resolve as (gets: unknown) => void, reject });
      this.#started().postMessage({ id, kind, asks } as Question);
    });
  }

  close(): void {
    this.#worker?.terminate();
  }

  /** The worker, which is large: it is loaded for the first question. */
  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = newWorker();
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#open.get(data.id);
      this.#open.delete(data.id);
      if ("problem" in data) waiting?.reject(new AnalysisError(data.problem));
      else waiting?.resolve(data.gets);
    });
    worker.addEventListener("error", () => this.#fail());
    return worker;
  }

  #fail(): void {
    const message = "What analyses tables could not be loaded.";
    const hint = "Load the page again while the studio runs.";
    for (const { reject } of this.#open.values()) {
      reject(new AnalysisError({ message, hint, problems: [] }));
    }
    this.#open.clear();
    this.close();
    this.#worker = undefined;
  }
}

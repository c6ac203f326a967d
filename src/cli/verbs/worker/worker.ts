import { setTimeout as pause } from "node:timers/promises";
import { IncompleteError, InputError } from "../../../core/errors.js";
import { shownPlace } from "../../../files/open-store.js";
import { command } from "../../command-line/command.js";
import { storeArgument } from "../../command-line/store-argument.js";
import { serveUntilInterrupted } from "../../serving/serve-until-interrupted.js";
import { FleetWork } from "./fleet-work.js";
import { WorkerCounts } from "./worker-counts.js";
import { workerPages } from "./worker-pages.js";

const lookAgain = 2_000;

const unfinished = (runs: readonly string[], store: string): IncompleteError =>
  new IncompleteError(
    `A server of their models is away for ${runs.length === 1 ? "1 run" : `${runs.length} runs`}: ${runs.join(", ")}`,
    { hint: `Finished work is kept. Go on with: touchstone worker --store ${store} --until-idle` },
  );

export default command({
  description:
    "Works on the runs of a store: takes what is missing of every run that it has models for, " +
    "beside any number of other workers. Start as many as you like, on as many machines. Limits " +
    "of a provider hold for all of them together. On SIGTERM it finishes the calls in hand and " +
    "ends; what a killed one had in hand is asked by others. With --port, /healthz tells whether " +
    "it works and /metrics counts for Prometheus.",
  examples: [
    "touchstone worker --store postgres://me@db/touchstone",
    "touchstone worker --store postgres://me@db/touchstone --until-idle --concurrency 8",
  ],
  arguments: {
    ...storeArgument,
    models: {
      kind: "text",
      value: "A,B",
      description:
        "work only on runs that ask no other models (default: whatever can be asked here)",
    },
    concurrency: {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "tasks in hand at once (default: from processors and models)",
    },
    "until-idle": { kind: "switch", description: "end when nothing is left to do" },
    port: {
      kind: "number",
      integer: true,
      minimum: 0,
      maximum: 65_535,
      description: "serve /healthz and /metrics here; 0: any free port (default: not served)",
    },
    host: {
      kind: "text",
      value: "ADDRESS",
      default: "127.0.0.1",
      description: "the address to serve them on",
    },
  },
  async run({ given, environment, output }) {
    const { store, signal } = environment;
    if (store === undefined) {
      throw new InputError("Expected --store for worker but it was not given", {
        hint: "touchstone worker --store postgres://user@host/database",
      });
    }
    const counts = new WorkerCounts(environment.now);
    const models = given.models?.split(",").map((name) => name.trim());
    const work = new FleetWork({
      store,
      models,
      concurrency: given.concurrency,
      environment,
      output,
      counts,
    });
    const ended = new AbortController();
    const { port, host } = given;
    const pages =
      port === undefined
        ? Promise.resolve()
        : serveUntilInterrupted(workerPages({ counts, isReachable: () => work.isReachable() }), {
            host,
            port,
            signal: AbortSignal.any([signal, ended.signal]),
            onListening: ({ url }) =>
              output.note(`Health and metrics: ${url}/healthz, ${url}/metrics`),
          });
    output.note(`Working on the runs of ${shownPlace(store)} …`);
    try {
      for (;;) {
        const done = await work.goOver();
        if (done === undefined) {
          output.note(`The store ${shownPlace(store)} can't be reached; trying again …`);
          await pause(lookAgain, undefined, { signal }).catch(() => {});
          continue;
        }
        if (signal.aborted || (given["until-idle"] && done === 0 && !work.isHopeful)) break;
        if (done === 0) await pause(lookAgain, undefined, { signal }).catch(() => {});
      }
    } finally {
      ended.abort();
      await pages;
    }
    const { records, unscored, cost } = counts;
    output.result(`Collected ${records} records (${unscored} unscored) of ${work.runs} runs.`);
    output.resultJson({ store: shownPlace(store), runs: work.runs, records, unscored, cost });
    if (signal.aborted) return;
    if (work.fault !== undefined) throw work.fault;
    if (work.unfinished.length > 0) throw unfinished(work.unfinished, shownPlace(store));
  },
});

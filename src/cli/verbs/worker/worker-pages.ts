import type { WorkerCounts } from "./worker-counts.js";

/** Metrics for Prometheus: name, kind, what it counts, value. */
const metricsOf = (counts: WorkerCounts): readonly [string, string, string, number][] => [
  ["touchstone_records_total", "counter", "Records that this worker collected.", counts.records],
  ["touchstone_unscored_total", "counter", "Those of them without an answer.", counts.unscored],
  ["touchstone_cost_dollars_total", "counter", "What its calls cost, in US dollars.", counts.cost],
  [
    "touchstone_steps_finished_total",
    "counter",
    "Steps that it saw finished.",
    counts.stepsFinished,
  ],
  ["touchstone_runs_refused", "gauge", "Runs that it can't work on.", counts.refused],
  [
    "touchstone_worker_start_time_seconds",
    "gauge",
    "When it began, in seconds since 1970.",
    counts.began.getTime() / 1000,
  ],
];

/** The pages of a worker: /healthz for who restarts it, /metrics for Prometheus. */
export function workerPages({
  counts,
  isReachable,
}: {
  readonly counts: WorkerCounts;
  /** Whether the store answers. */
  readonly isReachable: () => Promise<boolean>;
}): (request: Request) => Promise<Response> {
  return async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/healthz") {
      const isWell = await isReachable();
      return Response.json(
        { status: isWell ? "ok" : "the store can't be reached" },
        { status: isWell ? 200 : 503 },
      );
    }
    if (pathname !== "/metrics") return new Response("Not found\n", { status: 404 });
    const text = metricsOf(counts)
      .map(
        ([name, kind, help, value]) =>
          `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${name} ${value}\n`,
      )
      .join("");
    return new Response(text, { headers: { "content-type": "text/plain; version=0.0.4" } });
  };
}

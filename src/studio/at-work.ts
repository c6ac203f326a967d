import type { Worker } from "../core/record-store.js";
import { atWorkOf } from "../runs/run-status.js";
import type { RunDetail } from "./api.js";

/** Who is at work on a run, and of whom nothing was heard for long, as `run status` says it. */
export function atWork(workers: readonly Worker[]): Pick<RunDetail, "atWork" | "silent"> {
  const told = workers.map(atWorkOf);
  return {
    atWork: told.map(({ who }) => who),
    silent: told.flatMap(({ who, silentFor }) =>
      silentFor === null ? [] : [{ who, seconds: silentFor }],
    ),
  };
}

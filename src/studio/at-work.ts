import type { Worker } from "../core/record-store.js";
import type { RunDetail } from "./api.js";

/** Who is at work on a run. `silent` is always empty: only a database knew whom it had not heard of. */
export const atWork = (workers: readonly Worker[]): Pick<RunDetail, "atWork" | "silent"> => ({
  atWork: workers.map(({ who }) => who),
  silent: [],
});

import { z } from "zod";
import { loadData } from "../../../benchmarks/load-data.js";
import { once } from "../../../core/once.js";

const seconds = z.number().positive();
const schema = z.strictObject({
  limit: seconds,
  chapters: z.record(
    z.string(),
    z.strictObject({ small: seconds, medium: seconds, full: seconds }),
  ),
});

/** Seconds of processor time by chapter and size, and what the medium size may take in all. */
export const demoBudget = once(() => loadData("lab/demo-budget.yaml", schema));

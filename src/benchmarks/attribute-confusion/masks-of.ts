import { z } from "zod";
import type { Mask } from "../../core/models.js";
import { maskOfRuns } from "../../images/mask-runs.js";
import type { ReportedRun } from "../run-records.js";

const noted = z.object({
  kind: z.literal("mask"),
  key: z.string(),
  entity: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
  runs: z.array(z.number()),
});

/** The masks that localisers gave, by score and entity, as the run's trace has them. */
export async function masksOf(
  run: Pick<ReportedRun, "trace">,
): Promise<Map<string, Map<string, Mask>>> {
  const found = new Map<string, Map<string, Mask>>();
  for await (const entry of run.trace()) {
    const parsed = noted.safeParse(entry);
    if (!parsed.success) continue;
    const { key, entity, runs, ...size } = parsed.data;
    const mask = maskOfRuns(runs, size);
    if (mask === undefined) continue;
    const its = found.get(key) ?? new Map<string, Mask>();
    found.set(key, its.set(entity, mask));
  }
  return found;
}

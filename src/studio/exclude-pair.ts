import { z } from "zod";
import { tripletOf } from "../analysis/pairs/image-pairs.js";
import { readExcluded, writeExcluded } from "../benchmarks/prototypicality/excluded-triplets.js";
import { checkedRequest, Refusal } from "./refusal.js";
import type { RunView } from "./run-view.js";

const asked = z.strictObject({
  /** The pair's id. */
  pair: z.string().max(64),
  /** Null counts the pair again. */
  reason: z.string().trim().min(1).max(200).nullable(),
});

/** Excludes a run's triplet by hand, with a reason, or counts it again. */
export async function excludePair(
  view: RunView,
  { run, body }: { readonly run: Parameters<typeof readExcluded>[0]; readonly body: unknown },
): Promise<{ readonly triplet: string; readonly reason: string | null }> {
  const { pair: id, reason } = checkedRequest(asked, body);
  const pair = view.pairs.find((one) => one.id === id && one.kind === "contrastive");
  const row = pair && view.index.rows[pair.first];
  if (row === undefined) throw new Refusal(404, "no-pair", "The run has no such triplet");
  const triplet = tripletOf(row);
  const excluded = new Map(await readExcluded(run));
  if (reason === null) excluded.delete(triplet);
  else excluded.set(triplet, reason);
  await writeExcluded(run, excluded);
  return { triplet, reason };
}

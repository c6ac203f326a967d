import { z } from "zod";
import { tripletOf } from "../analysis/pairs/image-pairs.js";
import { readExcluded, writeExcluded } from "../benchmarks/prototypicality/excluded-triplets.js";
import { checkedRequest, Refusal } from "./refusal.js";
import type { RunView } from "./run-view.js";

const asked = z.strictObject({
  /** The pair's id. */
  pair: z.string().max(64).optional(),
  /** Or images, each of a triplet. */
  of: z.array(z.string().max(64)).max(20_000).optional(),
  /** Null counts the pair again. */
  reason: z.string().trim().min(1).max(200).nullable(),
});

/** Excludes triplets of a run by hand, with a reason, or counts them again. */
export async function excludePair(
  view: RunView,
  { run, body }: { readonly run: Parameters<typeof readExcluded>[0]; readonly body: unknown },
): Promise<{ readonly triplets: readonly string[]; readonly reason: string | null }> {
  const { pair: id, of = [], reason } = checkedRequest(asked, body);
  const wanted = new Set(of);
  const { rows } = view.index;
  const isWanted = (at: number) => wanted.has(rows[at]?.key ?? "");
  const triplets = view.pairs.flatMap(({ id: one, kind, first, second }) => {
    const row = rows[first];
    const isMeant = one === id || isWanted(first) || isWanted(second);
    return row !== undefined && kind === "contrastive" && isMeant ? [tripletOf(row)] : [];
  });
  if (triplets.length === 0) {
    throw new Refusal(404, "no-pair", "None of these images is of a triplet", {
      hint: "Only triplets of a contrastive run can be excluded.",
    });
  }
  const excluded = new Map(await readExcluded(run));
  for (const triplet of triplets) {
    if (reason === null) excluded.delete(triplet);
    else excluded.set(triplet, reason);
  }
  await writeExcluded(run, excluded);
  return { triplets, reason };
}

import { imagePairs, selector, tripletOf } from "../../../analysis/pairs/image-pairs.js";
import { retention } from "../../../analysis/pairs/retention.js";
import { readCountedRecords } from "../../../benchmarks/prototypicality/excluded-triplets.js";
import { refuseNothingKept, runFilter } from "../../../benchmarks/prototypicality/run-filter.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { FilterShare } from "../../study.js";

/** What a run's filter says of its pairs of correct and adversarial images. */
export interface PairFilter {
  readonly share: FilterShare;
  /** Ids of the pairs that it kept, as `prompt/sample`. */
  readonly kept: ReadonlySet<string>;
}

/**
 * Reads which pairs passed the filter of a run of triplets, by the rule of its report.
 *
 * @returns undefined where the run has no filter
 * @throws IncompleteError where it kept none and people would be asked about the kept alone
 */
export async function pairFilter(
  run: RecordStore,
  { unfiltered }: { readonly unfiltered: boolean },
): Promise<PairFilter | undefined> {
  const records = await readCountedRecords(run);
  const filter = runFilter(records, run.recipe);
  if (filter === undefined) return undefined;
  const { selection, description } = filter;
  const count = retention({ ...records, selection, intervals: { resamples: 1 } });
  if (!unfiltered) {
    const hint = "To ask people about all pairs: touchstone study create CONFIG --unfiltered";
    refuseNothingKept(count, { description, hint });
  }
  const whyNot = selector(selection, records.scores);
  const kept = imagePairs(records).flatMap((pair) =>
    pair.comparison === "contrastive" && whyNot(pair) === undefined
      ? [tripletOf({ prompt: pair.prompt.key, sample: pair.sample })]
      : [],
  );
  return {
    share: { kept: count.overall.kept, of: count.overall.pairs, description, unfiltered },
    kept: new Set(kept),
  };
}

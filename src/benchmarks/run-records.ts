import type { BenchmarkRecords } from "../analysis/pairs/image-pairs.js";
import { toldApart } from "../core/answered-by.js";
import type { RecordStore } from "../core/record-store.js";
import type { RecordOf, RecordType } from "../core/records.js";

/** Reads from a run what its report needs. */
export type ReportedRun = Pick<
  RecordStore,
  "place" | "recipe" | "blobs" | "ofType" | "trace" | "truth" | "documents"
>;

/** The records of a benchmark run, all at once: some 1 kB each. */
export interface RunRecords extends BenchmarkRecords {
  readonly prompts: readonly RecordOf<"prompt">[];
  readonly descriptions: readonly RecordOf<"description">[];
  readonly images: readonly RecordOf<"image">[];
  readonly scores: readonly RecordOf<"score">[];
}

export async function readRunRecords(run: Pick<ReportedRun, "ofType">): Promise<RunRecords> {
  const all = async <Type extends RecordType>(type: Type) => {
    const found: RecordOf<Type>[] = [];
    for await (const record of run.ofType(type)) found.push(record);
    return found;
  };
  return {
    prompts: await all("prompt"),
    descriptions: await all("description"),
    images: await all("image"),
    scores: toldApart(await all("score")),
  };
}

/** Tells whether the lab made a run's images: clip art, no evidence about real metrics. */
export const isFromLab = ({
  images,
}: {
  readonly images: readonly { readonly model: string }[];
}): boolean => images.some(({ model }) => model.startsWith("lab:"));

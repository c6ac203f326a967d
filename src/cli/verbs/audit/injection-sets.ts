import type { ProbedSet } from "../../../benchmarks/stereotypes/injection-probe.js";
import type { Rubric } from "../../../benchmarks/stereotypes/rubrics.js";
import { largestOf } from "../../../core/extremes.js";
import type { Picture } from "../../../core/models.js";
import { randomFrom } from "../../../core/random.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { DoneRecord } from "../../../core/records.js";
import { openPicture } from "../../../images/picture.js";

/**
 * Sets of an audit's first phase to probe a judge with: as many of each category, drawn at random
 * from those that the judge answered.
 *
 * @param count how many in all, at most
 */
export async function injectionSets(
  run: RecordStore,
  {
    rubrics,
    count,
    seed,
  }: {
    readonly rubrics: ReadonlyMap<string, Rubric>;
    readonly count: number;
    readonly seed: number;
  },
): Promise<ProbedSet[]> {
  const byCategory = new Map<string, DoneRecord<"audit">[]>();
  for await (const audit of run.ofType("audit")) {
    const { status, phase, trial, category } = audit;
    if (status !== "done" || phase !== "initial" || trial > 0) continue;
    byCategory.set(category, [...(byCategory.get(category) ?? []), audit]);
  }
  const dealt = [...byCategory].map(([category, audits]) =>
    randomFrom(seed, "injection-sets", category).shuffle(audits),
  );
  const longest = Math.max(0, largestOf(dealt.map((audits) => audits.length)));
  const chosen = Array.from({ length: longest }, (_, at) =>
    dealt.flatMap((audits) => audits.slice(at, at + 1)),
  )
    .flat()
    .slice(0, count);
  const sets: ProbedSet[] = [];
  for (const { text: query, category, rubric: name, images } of chosen) {
    const rubric = rubrics.get(name);
    if (rubric === undefined) continue;
    const pictures: Picture[] = [];
    for (const image of images) pictures.push(await openPicture(await run.blobs.read(image)));
    sets.push({ query, category, rubric, pictures });
  }
  return sets;
}

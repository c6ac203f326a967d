import { placed } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { DoneRecord, RecordOf } from "../../core/records.js";

/**
 * Sets of images for experts to label: as many as were asked for, as evenly as can be from every
 * category x generator x phase, drawn and then shuffled by the seed, so that their order tells
 * nothing. Only sets that the judge answered, in its first trial.
 *
 * @example auditSample(audits, { sets: 90, seed: 0 }).length // 90, or all there are
 */
export function auditSample(
  audits: readonly RecordOf<"audit">[],
  { sets, seed }: { readonly sets: number; readonly seed: number },
): DoneRecord<"audit">[] {
  const strata = new Map<string, DoneRecord<"audit">[]>();
  for (const audit of audits) {
    if (audit.status !== "done" || audit.trial !== 0) continue;
    const { category, generator, generatorBaseUrl, phase } = audit;
    const painter = placed({ model: generator, baseUrl: generatorBaseUrl });
    const name = JSON.stringify([category, painter, phase]);
    strata.set(name, [...(strata.get(name) ?? []), audit]);
  }
  const random = randomFrom(seed, "expert sample");
  const left = random.shuffle(
    [...strata]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, own]) => randomFrom(seed, "expert sample", name).shuffle(own)),
  );
  const chosen: DoneRecord<"audit">[] = [];
  while (chosen.length < sets && left.some((stratum) => stratum.length > 0)) {
    for (const stratum of left) {
      const next = chosen.length < sets ? stratum.pop() : undefined;
      if (next !== undefined) chosen.push(next);
    }
  }
  return random.shuffle(chosen);
}

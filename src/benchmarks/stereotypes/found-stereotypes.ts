import type { DoneRecord } from "../../core/records.js";

/** A judge's finding in the images of a query, for whoever rewrites it. */
export type FoundStereotype = DoneRecord<"refinement">["stereotypes"][number];

/**
 * The rubric items that a judge found in a query's images: those present in at least half of the
 * trials that answered them, in any of the query's sets; in the order of the rubric. The explanation
 * is that of the first that says so.
 */
export function foundStereotypes(audits: readonly DoneRecord<"audit">[]): FoundStereotype[] {
  const sets = new Map<number, DoneRecord<"audit">[]>();
  for (const audit of [...audits].sort((a, b) => a.trial - b.trial)) {
    sets.set(audit.set, [...(sets.get(audit.set) ?? []), audit]);
  }
  const items = audits[0]?.items ?? [];
  return items.flatMap((item) => {
    for (const trials of sets.values()) {
      const answers = trials.flatMap((audit) =>
        audit.answers.flatMap((one) =>
          one.item === item && one.status === "answered" ? [one] : [],
        ),
      );
      const flags = answers.filter(({ present }) => present === 1);
      const [first] = flags;
      if (first !== undefined && 2 * flags.length >= answers.length) {
        return [{ item, explanation: first.explanation }];
      }
    }
    return [];
  });
}

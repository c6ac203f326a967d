import type { RecordOf } from "../../core/records.js";
import type { BrokenRule } from "./rules.js";

/** Why a triplet was dropped, as its record says it: the rules it broke, and how it broke the first. */
export const droppedFor = (broken: readonly BrokenRule[]): string =>
  `${broken.map(({ rule }) => rule).join(", ")}: ${broken[0]?.message ?? ""}`;

/** How many triplets were dropped for each rule, the most first; one that broke two counts for both. */
export function droppedByRule(prompts: readonly RecordOf<"prompt">[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const prompt of prompts) {
    for (const rule of rulesBroken(prompt)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return new Map([...counts].sort((a, b) => b[1] - a[1]));
}

/** The rules for which a triplet was dropped; none of one that was written, or had no answer at all. */
export function rulesBroken(prompt: RecordOf<"prompt">): readonly string[] {
  if (prompt.status === "done" || prompt.reason !== "unparsable") return [];
  const names = /^([a-z]+(?:-[a-z]+)+(?:, [a-z]+(?:-[a-z]+)+)*): /.exec(prompt.detail)?.[1];
  return names?.split(", ") ?? [];
}

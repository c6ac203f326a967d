import { pluralText } from "./number-text.js";

/**
 * Counts, in a sentence for each reason, the numbers that stand without an interval.
 * Those with a one-sided bound have that in its place.
 *
 * @param conclusion any, as `--json` prints it.
 * @example withoutInterval({ spearman: { value: 1, low: null, high: null, reason: "no interval: …" } })
 * // ["1 estimate has no interval: …"]
 */
export function withoutInterval(conclusion: unknown): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasonsIn(conclusion)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(
    ([reason, count]) =>
      `${pluralText(count, "estimate")} ${count === 1 ? "has" : "have"} ${reason}`,
  );
}

function reasonsIn(conclusion: unknown): string[] {
  if (typeof conclusion !== "object" || conclusion === null) return [];
  const own =
    "value" in conclusion &&
    typeof conclusion.value === "number" &&
    "low" in conclusion &&
    conclusion.low === null &&
    "reason" in conclusion &&
    typeof conclusion.reason === "string" &&
    conclusion.reason.startsWith("no interval") &&
    !("oneSided" in conclusion)
      ? [conclusion.reason]
      : [];
  return [...own, ...Object.values(conclusion).flatMap(reasonsIn)];
}

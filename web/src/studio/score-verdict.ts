import type { ItemScore } from "../../../src/studio/api.js";

/** What a metric decided between the right one and the other, in a report's words, and how that looks. */
export function scoreVerdict({ failed, margin }: Pick<ItemScore, "failed" | "margin">): {
  readonly text: string;
  readonly look: string;
} {
  const isTie = margin === 0;
  // With swapped attributes a tie is no failure.
  if (!failed) return isTie ? { text: "= tie", look: "" } : { text: "✓ right", look: "good" };
  return { text: isTie ? "✕ tie" : "✕ wrong", look: "bad" };
}

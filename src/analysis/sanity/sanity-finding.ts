import type { Estimate } from "../../stats/estimate.js";
import { type ClusterCount, clusteredShare } from "../../stats/share-interval.js";

const findingKinds = [
  "constant",
  "ignores-text",
  "ignores-image",
  "reversed",
  "blank-wins",
  "too-few",
  "texts-cut",
  "images-cut",
  "images-shrunk",
] as const;

/** Something that a metric, or a judge of pairs, does not do as it should. */
export type SanityFinding = Readonly<{
  kind: (typeof findingKinds)[number];
  severity: "defect" | "caution";
  text: string;
}>;

export type SanityState = "sound" | "caution" | "defect" | "too-few" | "skipped";

/** The worst that findings come to; nothing is concluded where there are too few placebos and nothing else. */
export function stateOf(findings: readonly SanityFinding[]): SanityState {
  if (findings.some(({ severity }) => severity === "defect")) return "defect";
  if (findings.some(({ kind }) => kind === "too-few")) return "too-few";
  return findings.length > 0 ? "caution" : "sound";
}

/**
 * The share from which a metric counts as sound: own above foreign in four of five. An interval that contains one
 * half tells of no defect where it reaches this share, too: a sound metric has such intervals where few items are
 * compared. Below it lie the intervals of 2.5 % of metrics with just that share.
 */
const soundShare = 0.8;

/** What the interval of a share tells: `open` where it holds one half and the share of a sound metric. */
export function shownBy({ low, high }: Estimate): "sound" | "chance" | "below" | "open" {
  if (low === null || high === null) return "open";
  if (low > 0.5) return "sound";
  if (high < 0.5) return "below";
  return high < soundShare ? "chance" : "open";
}

/** Share of outcomes, each 0, one half or 1; those of one prompt are a cluster. */
export function shareOf<One extends { readonly prompt: string }>(
  compared: readonly One[],
  outcome: (one: One) => number,
): Estimate {
  const clusters = new Map<string, ClusterCount>();
  for (const one of compared) {
    const { successes = 0, n = 0 } = clusters.get(one.prompt) ?? {};
    clusters.set(one.prompt, { successes: successes + outcome(one), n: n + 1 });
  }
  return clusteredShare([...clusters.values()]);
}

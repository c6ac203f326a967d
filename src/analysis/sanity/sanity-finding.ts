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

import { type ClusterCount, clusteredShare } from "../../stats/clustered-share.js";
import type { Estimate } from "../../stats/estimate.js";
import { isTie } from "../pairs/score-ties.js";
import { type DrawnPlacebos, fewestPlacebos, fewestPrompts } from "./draw-placebos.js";

const findingKinds = [
  "constant",
  "ignores-text",
  "ignores-image",
  "reversed",
  "blank-wins",
  "too-few",
] as const;

/** Something that a metric does not do as it should. */
export type SanityFinding = Readonly<{
  kind: (typeof findingKinds)[number];
  severity: "defect" | "caution";
  text: string;
}>;

/** Whether a metric reads its texts and looks at its images, from placebos. */
export type MetricSanity = Readonly<{
  /** Items that were asked again with a foreign text, and answered. */
  items: number;
  /** Share of items that their own text fits better than a foreign one, ties half. */
  readsText: Estimate;
  /** Share of foreign texts that their own image fits better than the item's, ties half. */
  looksAtImage: Estimate;
  /** Grey images that reach the score of the item's own. */
  blank: Readonly<{ atOrAbove: number; of: number }>;
  /** How many inputs did not reach the model whole: null, since nothing counts them yet. */
  cutTexts: null;
  cutImages: null;
  shrunkImages: null;
  findings: readonly SanityFinding[];
  state: "sound" | "caution" | "defect" | "too-few" | "skipped";
}>;

/** Scores of placebos, in the order in which they were drawn; null without an answer. */
export interface PlaceboScores extends DrawnPlacebos {
  readonly foreignScores: readonly (number | null)[];
  readonly blankScores: readonly (number | null)[];
}

const unknown = (reason: string): Estimate => ({ value: null, low: null, high: null, reason });

/** Of a metric that was not checked. */
export const sanitySkipped: MetricSanity = {
  items: 0,
  readsText: unknown("not checked"),
  looksAtImage: unknown("not checked"),
  blank: { atOrAbove: 0, of: 0 },
  cutTexts: null,
  cutImages: null,
  shrunkImages: null,
  findings: [],
  state: "skipped",
};

/**
 * Concludes from placebos whether a metric reads its texts and looks at its images. Intervals (95 %) count each
 * prompt once, as clusters.
 *
 * @param items text and own score of each item, null without one
 * @param options.needsText false for a metric that declares that it reads no text: what it makes of foreign ones says nothing
 */
export function metricSanity(
  items: readonly { readonly text: string; readonly score: number | null }[],
  placebos: PlaceboScores,
  {
    direction,
    needsText = true,
  }: { readonly direction: "higher" | "lower"; readonly needsText?: boolean | undefined },
): MetricSanity {
  const better = (one: number, other: number) => {
    if (isTie(one, other)) return 0.5;
    return one > other === (direction === "higher") ? 1 : 0;
  };
  const own = (item: number) => items[item]?.score ?? null;
  const compared = placebos.pairs.flatMap(({ item, foreign }, at) => {
    const [mine, other] = [own(item), own(foreign)];
    const score = placebos.foreignScores[at] ?? null;
    if (mine === null || other === null || score === null) return [];
    const prompt = items[item]?.text ?? "";
    return [{ prompt, reads: better(mine, score), looks: better(other, score) }];
  });
  const blanks = placebos.blanks.flatMap((item, at) => {
    const [mine, blank] = [own(item), placebos.blankScores[at] ?? null];
    return mine === null || blank === null ? [] : [better(blank, mine) > 0];
  });
  const found = {
    items: compared.length,
    readsText: shareOf(compared, ({ reads }) => reads),
    looksAtImage: shareOf(compared, ({ looks }) => looks),
    blank: { atOrAbove: blanks.filter(Boolean).length, of: blanks.length },
  };
  const scores = items.flatMap(({ score }) => score ?? []);
  // A metric that finds each image right, and each foreign text wrong, is none that tells nothing apart.
  const foreignScores = placebos.foreignScores.flatMap((score) => score ?? []);
  const prompts = new Set(compared.map(({ prompt }) => prompt)).size;
  const isFew = compared.length < fewestPlacebos || prompts < fewestPrompts;
  const findings = [
    ...constant(scores, foreignScores),
    ...(isFew ? [tooFew(compared.length, prompts)] : needsText ? ofShares(found) : []),
    ...blankWins(found.blank),
  ];
  return { ...sanitySkipped, ...found, findings, state: stateOf(findings) };
}

/** The worst that findings come to; nothing is concluded where there are too few placebos and nothing else. */
function stateOf(findings: readonly SanityFinding[]): MetricSanity["state"] {
  if (findings.some(({ severity }) => severity === "defect")) return "defect";
  if (findings.some(({ kind }) => kind === "too-few")) return "too-few";
  return findings.length > 0 ? "caution" : "sound";
}

function shareOf<One extends { readonly prompt: string }>(
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

function constant(scores: readonly number[], foreign: readonly number[]): SanityFinding[] {
  const [first] = scores;
  const isOther = (score: number) => score !== first;
  if (scores.length < fewestPlacebos || scores.some(isOther) || foreign.some(isOther)) return [];
  const text = `gives all ${scores.length} items the same score`;
  return [{ kind: "constant", severity: "defect", text }];
}

const tooFew = (items: number, prompts: number): SanityFinding => ({
  kind: "too-few",
  severity: "caution",
  text:
    `was asked with ${items} foreign texts for ${prompts} prompts, of at least ${fewestPlacebos} for ` +
    `${fewestPrompts}: nothing is concluded`,
});

function ofShares({
  readsText,
  looksAtImage,
}: Pick<MetricSanity, "readsText" | "looksAtImage">): SanityFinding[] {
  const findings: SanityFinding[] = [];
  const contains = ({ low, high }: Estimate) =>
    low !== null && high !== null && low <= 0.5 && high >= 0.5;
  const isBelow = ({ high }: Estimate) => high !== null && high < 0.5;
  if (contains(readsText)) {
    const text = "is not shown to read its texts: its mean says nothing about alignment";
    findings.push({ kind: "ignores-text", severity: "defect", text });
  }
  if (contains(looksAtImage)) {
    const text = "is not shown to look at its images";
    findings.push({ kind: "ignores-image", severity: "defect", text });
  }
  if (isBelow(readsText) || isBelow(looksAtImage)) {
    const text = "prefers foreign texts or images: its direction is probably wrong";
    findings.push({ kind: "reversed", severity: "defect", text });
  }
  return findings;
}

function blankWins({ atOrAbove, of }: MetricSanity["blank"]): SanityFinding[] {
  if (atOrAbove <= of / 2) return [];
  const text = `gives a grey image at least the score of the image itself in ${atOrAbove} of ${of}`;
  return [{ kind: "blank-wins", severity: "caution", text }];
}

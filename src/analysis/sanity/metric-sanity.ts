import { pluralText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import { isTie } from "../pairs/score-ties.js";
import { type DrawnPlacebos, fewestPlacebos } from "./draw-placebos.js";
import {
  type SanityFinding,
  type SanityState,
  shareOf,
  shownBy,
  stateOf,
} from "./sanity-finding.js";
import { findingsOfWhole, notCounted, type WholeInputs, wholeTexts } from "./whole-inputs.js";

/** Whether a metric, or a judge of pairs, reads its texts and looks at its images, from placebos. */
export type MetricSanity = Readonly<{
  /** Items that were asked again with a foreign text, and answered. */
  items: number;
  /** Share of items that their own text fits better than a foreign one, ties half. */
  readsText: Estimate;
  /** Share of foreign texts that their own image fits better than the item's, ties half. */
  looksAtImage: Estimate;
  /** Grey images that reach the score of the item's own. */
  blank: Readonly<{ atOrAbove: number; of: number }>;
  /** How many inputs of the run did not reach the model whole; null where nobody can tell. */
  cutTexts: number | null;
  cutImages: number | null;
  shrunkImages: number | null;
  /** What of them was lost, a clause for each kind. */
  notWhole: readonly string[];
  findings: readonly SanityFinding[];
  state: SanityState;
}>;

/** Scores of placebos, in the order in which they were drawn; null without an answer. */
export interface PlaceboScores extends DrawnPlacebos {
  readonly foreignScores: readonly (number | null)[];
  readonly blankScores: readonly (number | null)[];
}

const unknown: Estimate = { value: null, low: null, high: null, reason: "not checked" };

/** Of a metric that was not checked. */
export const sanitySkipped: MetricSanity = {
  items: 0,
  readsText: unknown,
  looksAtImage: unknown,
  blank: { atOrAbove: 0, of: 0 },
  cutTexts: null,
  cutImages: null,
  shrunkImages: null,
  notWhole: [],
  findings: [],
  state: "skipped",
};

/**
 * Concludes from placebos whether a metric reads its texts and looks at its images. Intervals (95 %) count each
 * prompt once, as clusters.
 *
 * @param items text and own score of each item, null without one
 * @param options.needsText false for a metric that declares that it reads no text: what it makes of foreign ones says nothing
 * @param options.whole how many of the run's inputs did not reach the model whole
 */
export function metricSanity(
  items: readonly { readonly text: string; readonly score: number | null }[],
  placebos: PlaceboScores,
  {
    direction,
    needsText = true,
    whole = notCounted,
  }: {
    readonly direction: "higher" | "lower";
    readonly needsText?: boolean | undefined;
    readonly whole?: WholeInputs;
  },
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
  const findings = [
    ...constant(scores, foreignScores),
    ...(needsText ? ofShares(found, items.length) : []),
    ...blankWins(found.blank),
    ...findingsOfWhole(whole),
  ];
  const { cutTexts, cutImages, shrunkImages } = whole;
  const counts = { cutTexts, cutImages, shrunkImages, notWhole: wholeTexts(whole) };
  return { ...found, ...counts, findings, state: stateOf(findings) };
}

function constant(scores: readonly number[], foreign: readonly number[]): SanityFinding[] {
  const [first] = scores;
  const isOther = (score: number) => score !== first;
  if (scores.length < fewestPlacebos || scores.some(isOther) || foreign.some(isOther)) return [];
  const text = `gives all ${scores.length} items the same score`;
  return [{ kind: "constant", severity: "defect", text }];
}

function ofShares(
  { items, readsText, looksAtImage }: Pick<MetricSanity, "items" | "readsText" | "looksAtImage">,
  fitting: number,
): SanityFinding[] {
  if (items === 0) return [notTried(fitting)];
  if (items < fewestPlacebos) return [tooFew(items, ["reads its texts", "looks at its images"])];
  const [reads, looks] = [shownBy(readsText), shownBy(looksAtImage)];
  const findings: SanityFinding[] = [];
  if (reads === "chance") {
    const text = "is not shown to read its texts: its mean says nothing about alignment";
    findings.push({ kind: "ignores-text", severity: "defect", text });
  }
  if (looks === "chance") {
    const text = "is not shown to look at its images";
    findings.push({ kind: "ignores-image", severity: "defect", text });
  }
  if (reads === "below" || looks === "below") {
    const text = "prefers other prompts' texts or images: its direction is probably wrong";
    findings.push({ kind: "reversed", severity: "defect", text });
  }
  const open = [
    ...(reads === "open" ? ["reads its texts"] : []),
    ...(looks === "open" ? ["looks at its images"] : []),
  ];
  if (open.length > 0) findings.push(tooFew(items, open));
  return findings;
}

/** Says what so many foreign texts don't tell. */
export const tooFew = (items: number, what: readonly string[]): SanityFinding => ({
  kind: "too-few",
  severity: "caution",
  text: `was tried with another prompt's text on ${pluralText(items, "item")}, too few to tell whether it ${what.join(" and ")}`,
});

/** Says why nothing was asked: of so many images that should fit their text. */
const notTried = (fitting: number): SanityFinding => ({
  kind: "too-few",
  severity: "caution",
  text: `was not checked for reading its texts and looking at its images: ${
    fitting < fewestPlacebos
      ? `that takes ${fewestPlacebos} images meant to fit their text, and there ${fitting === 1 ? "is" : "are"} ${fitting}`
      : "that takes texts that differ"
  }`,
});

function blankWins({ atOrAbove, of }: MetricSanity["blank"]): SanityFinding[] {
  if (atOrAbove <= of / 2) return [];
  const text = `gives a grey image at least the score of the image itself in ${atOrAbove} of ${of}`;
  return [{ kind: "blank-wins", severity: "caution", text }];
}

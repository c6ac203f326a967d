import { meanByPrompt } from "../analysis/inference/clustered-mean.js";
import { type AskedAnchors, driftEvidence, evidenceOfDrift } from "../ensembles/drift-evidence.js";
import { binomialTest } from "../stats/binomial-test.js";
import type { Estimate } from "../stats/estimate.js";
import { regularisedIncompleteBeta } from "../stats/regularised-incomplete-beta.js";
import { type AnchorChange, anchorChange } from "./anchors.js";
import type { AnswerKind } from "./answer-kind.js";
import type { JudgeArtefact } from "./judge-artefact.js";

type SavedAnchor = NonNullable<JudgeArtefact["anchors"]>[number];

/** Anchors that were asked twice at one time: how often the judge contradicts itself. */
export interface RepeatedAnchors extends AskedAnchors {
  /** Ids of those whose answer was another the second time. */
  readonly flipped: readonly string[];
}

/** What a verification leaves for later ones. */
export interface PastVerification extends AskedAnchors {
  readonly e: number;
}

/** What asking a judge's anchors again says. */
export interface Verification {
  readonly anchors: number;
  /** Anchors with an answer now. */
  readonly asked: number;
  /** Those that answer otherwise than at calibration. */
  readonly flipped: number;
  /** Those that answer otherwise, or whose probability moved by more than 0.1. */
  readonly changed: number;
  /** Of flips now beside flips by asking twice, on the same anchors (exact McNemar test, two-sided). */
  readonly p: number;
  /** How far the probability of the answer at calibration moved, in the mean. */
  readonly shift: Estimate;
  /** Evidence that changes became more frequent, over all verifications (`driftEvidence`). */
  readonly e: number;
  /** Whether the evidence has ever reached 20. */
  readonly drifted: boolean;
  /** Labelled anchors that are accepted now; null where no threshold is certified. */
  readonly certificate: {
    readonly accepted: number;
    readonly wrong: number;
    /** Of so many wrong answers, if the promise holds (binomial, one-sided). */
    readonly p: number;
  } | null;
}

/** Counts how often a judge contradicts itself, from two answers to each anchor. */
export function repeatedAnchors(
  anchors: readonly SavedAnchor[],
  [first, second]: readonly [first: readonly Float64Array[], second: readonly Float64Array[]],
  kind: AnswerKind,
): RepeatedAnchors {
  const changes = anchors.flatMap(({ id }, at) => {
    const [one, other] = [first[at], second[at]];
    if (one === undefined || other === undefined) return [];
    const { says, confidence } = kind.decide(one);
    if (Number.isNaN(confidence)) return [];
    const change = anchorChange({ shares: Array.from(one), says }, other, kind);
    return change === undefined ? [] : [{ id, ...change }];
  });
  return {
    asked: changes.length,
    changed: changes.filter(({ changed }) => changed).length,
    flipped: changes.filter(({ flipped }) => flipped).map(({ id }) => id),
  };
}

/**
 * Tests whether a judge still answers its anchors as at calibration.
 *
 * @param now what all prompts say together of each anchor; NaN for no answer.
 */
export function verifyAnchors(
  anchors: readonly SavedAnchor[],
  now: readonly Float64Array[],
  {
    kind,
    certification: { threshold, target },
    repeated,
    past,
  }: {
    readonly kind: AnswerKind;
    readonly certification: Pick<JudgeArtefact["certification"], "threshold" | "target">;
    readonly repeated: RepeatedAnchors;
    readonly past: readonly PastVerification[];
  },
): Verification {
  const changes = anchors.flatMap((anchor, at) => {
    const change = now[at] && anchorChange(anchor, now[at], kind);
    return change === undefined ? [] : [{ anchor, ...change }];
  });
  const flipped = changes.filter((one) => one.flipped).map(({ anchor }) => anchor.id);
  const changed = changes.filter((one) => one.changed).length;
  const asked = changes.length;
  const onlyNow = flipped.filter((id) => !repeated.flipped.includes(id)).length;
  const onlyThen = repeated.flipped.filter((id) => !flipped.includes(id)).length;
  const e = driftEvidence(repeated, [...past, { asked, changed }]);
  return {
    anchors: anchors.length,
    asked,
    flipped: flipped.length,
    changed,
    p: binomialTest({ shown: onlyNow, of: onlyNow + onlyThen, share: 0.5 }),
    shift: shiftOf(changes),
    e,
    drifted: e >= evidenceOfDrift || past.some((one) => one.e >= evidenceOfDrift),
    certificate: threshold === null ? null : accepted(changes, { threshold, target, kind }),
  };
}

type Changes = readonly (AnchorChange & { readonly anchor: SavedAnchor })[];

function shiftOf(changes: Changes): Estimate {
  const rows = changes.map(({ anchor: { id }, shift }) => ({ id, value: shift }));
  const whenEmpty = "no anchor has an answer";
  const { n: _, ...shift } = meanByPrompt(rows, { interval: "t", within: [-1, 1], whenEmpty });
  return shift;
}

function accepted(
  changes: Changes,
  {
    threshold,
    target,
    kind,
  }: { readonly threshold: number; readonly target: number; readonly kind: AnswerKind },
): NonNullable<Verification["certificate"]> {
  const taken = changes.filter(
    ({ anchor, confidence }) => anchor.label !== null && confidence >= threshold,
  );
  const wrong = taken.filter(({ anchor, says }) => kind.isWrong(says, anchor.label ?? 0)).length;
  const p = wrong === 0 ? 1 : regularisedIncompleteBeta(target, wrong, taken.length - wrong + 1);
  return { accepted: taken.length, wrong, p };
}

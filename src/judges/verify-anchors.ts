import { meanByPrompt } from "../analysis/inference/clustered-mean.js";
import { exp } from "../stats/elementary/exponential.js";
import { log } from "../stats/elementary/logarithm.js";
import type { Estimate } from "../stats/estimate.js";
import { binomialTest, regularisedIncompleteBeta } from "../stats/incomplete-beta.js";
import type { AnswerKind } from "./answer-kind.js";
import {
  ensembleAnswers,
  type FittingItems,
  type Weighing,
  weightsOfItems,
} from "./calibrate-fit.js";
import type { JudgeArtefact } from "./judge-artefact.js";

/** How many of a judge's items are asked again. */
const anchorCount = 40;

/** An item's place among those that were labelled, and what the judge said of it. */
export interface Anchor {
  readonly at: number;
  /** What all prompts said together. */
  readonly shares: readonly number[];
  readonly says: number;
  readonly confidence: number;
  /** The weight of each prompt on this item. */
  readonly weights: readonly number[];
}

/** Chooses forty answered items, spread evenly over the order of confidence; all, where there are fewer. */
export function anchorsOf(
  judge: Weighing,
  items: FittingItems & { readonly kind: AnswerKind },
): Anchor[] {
  const { answers, prompts, embeddings, kind } = items;
  const shares = ensembleAnswers(judge, { answers, prompts, embeddings, kind });
  const weights = weightsOfItems(judge, { items: shares.length, prompts, embeddings });
  const decided = shares
    .map((own, at) => ({
      at,
      shares: Array.from(own),
      ...kind.decide(own),
      weights: Array.from(weights.subarray(at * prompts, (at + 1) * prompts)),
    }))
    .filter(({ confidence }) => !Number.isNaN(confidence))
    .sort((one, other) => one.confidence - other.confidence || one.at - other.at);
  if (decided.length <= anchorCount) return decided;
  return Array.from({ length: anchorCount }, (_, place) => {
    return decided[Math.round((place * (decided.length - 1)) / (anchorCount - 1))];
  }).flatMap((one) => one ?? []);
}

/** A probability that moved by more than this is a change, though the answer is the same. */
const moved = 0.1;

/** What an anchor says now, beside what it said before; undefined where it has no answer now. */
interface AnchorChange {
  readonly flipped: boolean;
  /** Whether it answers otherwise, or its probability moved by more than 0.1. */
  readonly changed: boolean;
  /** How far the probability of the answer of before moved. */
  readonly shift: number;
  readonly confidence: number;
  readonly says: number;
}

/** Compares an anchor's answers. */
function anchorChange(
  { shares: then, says }: Pick<Anchor, "shares" | "says">,
  now: Float64Array,
  kind: AnswerKind,
): AnchorChange | undefined {
  const decided = kind.decide(now);
  if (Number.isNaN(decided.confidence)) return undefined;
  const shift = kind.likelihood(now, says) - kind.likelihood(Float64Array.from(then), says);
  const flipped = decided.says !== says;
  return { ...decided, flipped, shift, changed: flipped || Math.abs(shift) > moved };
}

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

/** Anchors that were asked at one time, and how many answered otherwise than at calibration. */
interface AskedAnchors {
  readonly asked: number;
  readonly changed: number;
}

/** Beta priors of the rate of changes before a drift and after it. */
const before = { a: 0.5, b: 10 };
const after = { a: 1, b: 3 };

/** Evidence from which on a judge counts as drifted: by Ville's inequality reached in 5 % at most, over all times. */
export const evidenceOfDrift = 20;

/**
 * Evidence that the rate at which anchors change has risen, as an e-process: a fixed mixture, over when a drift
 * began (prior 1 / (t (t + 1)) for time t) and over the rates before and after (Beta priors), of the likelihood of
 * all that was seen, divided by the largest likelihood of one constant rate. That is at most a martingale of mean 1
 * while nothing drifts, so it ever exceeds 1 / alpha with probability alpha at most, however often one looks
 * (Ville 1939; Wasserman, Ramdas and Balakrishnan, "Universal inference", 2020, section 8).
 *
 * @param baseline how often asking twice at one time changed an answer. Of one time: what was said at calibration
 *   is one draw, and more repetitions would compare its luck with ever less doubt.
 * @param times what was seen since, in order.
 * @returns at least 0; 1 tells nothing.
 * @example driftEvidence({ asked: 40, changed: 0 }, [{ asked: 40, changed: 20 }]) > 20 // true
 */
export function driftEvidence(baseline: AskedAnchors, times: readonly AskedAnchors[]): number {
  const all = sumOf([baseline, ...times]);
  const constant = logLikelihood(all);
  let early = baseline;
  let evidence = 0;
  for (const [at, time] of times.entries()) {
    const late = sumOf(times.slice(at));
    const weight = 1 / ((at + 1) * (at + 2));
    evidence += weight * exp(logMarginal(early, before) + logMarginal(late, after) - constant);
    early = sumOf([early, time]);
  }
  return evidence + exp(logMarginal(early, before) - constant) / (times.length + 1);
}

const sumOf = (times: readonly AskedAnchors[]): AskedAnchors => ({
  asked: times.reduce((sum, { asked }) => sum + asked, 0),
  changed: times.reduce((sum, { changed }) => sum + changed, 0),
});

/** The largest log-likelihood of a constant rate. */
function logLikelihood({ asked, changed }: AskedAnchors): number {
  const part = (count: number) => (count === 0 ? 0 : count * log(count / asked));
  return part(changed) + part(asked - changed);
}

/** The log of the likelihood, averaged over a Beta prior of the rate. */
const logMarginal = ({ asked, changed }: AskedAnchors, { a, b }: typeof before): number =>
  logRising(a, changed) + logRising(b, asked - changed) - logRising(a + b, asked);

const tables = new Map<number, number[]>();

/** log(x (x + 1) … (x + n - 1)). */
function logRising(x: number, n: number): number {
  const table = tables.get(x) ?? [0];
  tables.set(x, table);
  for (let at = table.length; at <= n; at++) table.push((table[at - 1] ?? 0) + log(x + at - 1));
  return table[n] ?? 0;
}

import type { AnswerKind } from "./answer-kind.js";
import {
  ensembleAnswers,
  type FittingItems,
  type Weighing,
  weightsOfItems,
} from "./calibrate-fit.js";

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
export interface AnchorChange {
  readonly flipped: boolean;
  /** Whether it answers otherwise, or its probability moved by more than 0.1. */
  readonly changed: boolean;
  /** How far the probability of the answer of before moved. */
  readonly shift: number;
  readonly confidence: number;
  readonly says: number;
}

/** Compares an anchor's answers. */
export function anchorChange(
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

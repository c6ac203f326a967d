import type { BlockSettings, ProtocolName } from "../config/study-config.js";

/** Seconds that an answer is taken to need where nothing else is known. */
export const secondsPerAnswer: Readonly<Record<ProtocolName, number>> = {
  rating: 10,
  likert: 10,
  localized: 6,
  pairwise: 10,
  rubric: 45,
  "mental-image": 600,
};

/** Cost of a study, in people, time and money. */
export interface StudyCost {
  readonly participants: number;
  /** Answers that count: items times raters. */
  readonly labels: number;
  /** Hours to answer, repeats included; without consent, gold items and pauses. */
  readonly hours: number;
  /** Hours times the rate; null without one. */
  readonly cost: number | null;
}

/**
 * People, hours and money for so many items.
 *
 * @param options.rate money per hour of a participant
 * @example studyCost(block, { items: 100, raters: 3, seconds: 12, rate: 15 }).cost // 15: 300 answers, 1 hour
 */
export function studyCost(
  { itemsPerParticipant, repeats }: BlockSettings,
  {
    items,
    raters,
    seconds,
    rate,
  }: {
    readonly items: number;
    readonly raters: number;
    readonly seconds: number;
    readonly rate?: number | undefined;
  },
): StudyCost {
  const labels = items * raters;
  const each = Math.min(itemsPerParticipant ?? items, items);
  const participants = Math.max(raters, Math.ceil(labels / each));
  const hours = ((labels + participants * repeats) * seconds) / 3600;
  return { participants, labels, hours, cost: rate === undefined ? null : hours * rate };
}

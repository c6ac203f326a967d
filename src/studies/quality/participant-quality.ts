import { largestOf } from "../../core/arrays.js";
import { canonicalJson } from "../../core/json.js";
import { regularisedIncompleteBeta } from "../../stats/incomplete-beta.js";
import { quantile } from "../../stats/percentile-interval.js";
import type { Exclusion } from "../config/study-config.js";
import { mean } from "../protocols/protocol.js";
import { protocolOf } from "../protocols/protocols.js";
import type { Study, StudyBlock } from "../study.js";
import type { KeptAnswer } from "../tables/counted-answers.js";

/** How carefully somebody answered, as far as it shows; null where there is nothing to tell by. */
export interface ParticipantQuality {
  readonly participant: string;
  readonly answers: number;
  readonly skipped: number;
  /** Share of gold items answered as known. */
  readonly goldAccuracy: number | null;
  /** Share of repeats answered as the first time. */
  readonly repeatAgreement: number | null;
  /** Median seconds of an answer, gold and repeats included. */
  readonly medianSeconds: number | null;
  /** Share of the button pressed most often, over a block's items; the largest of all blocks. */
  readonly sameAnswerShare: number | null;
  /** The rules of the configuration that this participant breaks. */
  readonly excludedBy: readonly (Exclusion["rule"] | "gold-check")[];
}

/** What gold items decide while a session runs. */
export type GoldVerdict = "go-on" | "warn" | "end";

/** Judges one person's answers by the study's `goldCheck`; without one everybody goes on. */
export function goldVerdict(study: Study, answers: readonly KeptAnswer[]): GoldVerdict {
  const { goldCheck } = study.settings;
  const answered = answers.filter(({ answer }) => answer !== null);
  const accuracy = goldAccuracy(study, answered);
  const count = answered.filter(({ kind }) => kind === "gold").length;
  if (goldCheck === undefined || accuracy === null || count < goldCheck.after) return "go-on";
  if (accuracy < (goldCheck.endBelow ?? 0)) return "end";
  return accuracy < (goldCheck.warnBelow ?? 0) ? "warn" : "go-on";
}

/** Quality of every participant, in the order in which they first answered. */
export function participantQuality(
  study: Study,
  answers: readonly KeptAnswer[],
): readonly ParticipantQuality[] {
  const byParticipant = new Map<string, KeptAnswer[]>();
  for (const answer of answers) {
    const own = byParticipant.get(answer.participant) ?? [];
    own.push(answer);
    byParticipant.set(answer.participant, own);
  }
  const presses = study.blocks.map((block) => pressesIn(block, byParticipant));
  return [...byParticipant].map(([participant, own]) => {
    const answered = own.filter(({ answer }) => answer !== null);
    const sameAnswers = presses.flatMap((inBlock) => mostPressed(inBlock, participant) ?? []);
    const quality = {
      participant,
      answers: answered.length,
      skipped: own.length - answered.length,
      goldAccuracy: goldAccuracy(study, answered),
      repeatAgreement: repeatAgreement(study, answered),
      medianSeconds: median(
        answered.flatMap(({ milliseconds }) =>
          milliseconds === undefined ? [] : [milliseconds / 1000],
        ),
      ),
      sameAnswerShare:
        sameAnswers.length === 0 ? null : largestOf(sameAnswers.map(({ share }) => share)),
    };
    const excludedBy = study.settings.exclude.filter((rule) =>
      breaks(quality, { rule, sameAnswers }),
    );
    const isEnded = goldVerdict(study, own) === "end";
    return {
      ...quality,
      excludedBy: [
        ...excludedBy.map(({ rule }) => rule),
        ...(isEnded ? (["gold-check"] as const) : []),
      ],
    };
  });
}

type Measures = Omit<ParticipantQuality, "excludedBy">;

/** Tells whether a measure breaks a rule; one that is undefined excludes nobody. */
function breaks(
  quality: Measures,
  {
    rule: { rule, value },
    sameAnswers,
  }: { readonly rule: Exclusion; readonly sameAnswers: readonly MostPressed[] },
): boolean {
  switch (rule) {
    case "gold-accuracy-below":
      return quality.goldAccuracy !== null && quality.goldAccuracy < value;
    case "repeat-agreement-below":
      return quality.repeatAgreement !== null && quality.repeatAgreement < value;
    case "median-seconds-below":
      return quality.medianSeconds !== null && quality.medianSeconds < value;
    case "same-answer-above":
      return sameAnswers.some(
        ({ share, byChance }) => share > value && byChance < leastProbability,
      );
  }
}

/** One word for an answer, the same for the same answer. */
function wordOf(study: Study, { block, answer }: KeptAnswer): string | null {
  const protocol = study.blocks.find(({ name }) => name === block)?.settings.protocol;
  const value =
    protocol === undefined || answer === null ? null : protocolOf(protocol).value(answer);
  return value === null ? null : canonicalJson(value);
}

function goldAccuracy(study: Study, answers: readonly KeptAnswer[]): number | null {
  const gold = answers.filter(({ kind, item }) => kind === "gold" && item.known !== undefined);
  return mean(
    gold.map((answer) =>
      wordOf(study, answer) === wordOf(study, { ...answer, answer: answer.item.known ?? null })
        ? 1
        : 0,
    ),
  );
}

function repeatAgreement(study: Study, answers: readonly KeptAnswer[]): number | null {
  const first = new Map(
    answers
      .filter(({ kind }) => kind === "item")
      .map((answer) => [answer.item, wordOf(study, answer)]),
  );
  const repeats = answers.filter(({ kind, item }) => kind === "repeat" && first.has(item));
  return mean(repeats.map((answer) => (first.get(answer.item) === wordOf(study, answer) ? 1 : 0)));
}

/** How often each participant pressed each button in a block. */
type Presses = ReadonlyMap<string, ReadonlyMap<string, number>>;

function pressesIn(
  { name, settings }: StudyBlock,
  byParticipant: ReadonlyMap<string, readonly KeptAnswer[]>,
): Presses {
  const { button, value } = protocolOf(settings.protocol);
  const pressesOf = (answers: readonly KeptAnswer[]) => {
    const counts = new Map<string, number>();
    for (const { block, kind, answer, swapped } of answers) {
      if (block !== name || kind !== "item" || answer === null) continue;
      const word = button === undefined ? value(answer) : button(answer, swapped);
      if (word !== null) counts.set(String(word), (counts.get(String(word)) ?? 0) + 1);
    }
    return counts;
  };
  return new Map([...byParticipant].map(([participant, own]) => [participant, pressesOf(own)]));
}

/** The button somebody pressed most often in a block. */
interface MostPressed {
  readonly share: number;
  /**
   * Probability that it is pressed so often by one who presses it as often as the median of the others does
   * (binomial, upper tail); 1 where nobody else answered five items.
   */
  readonly byChance: number;
}

/**
 * A share is held against the others': where most items have the same right answer, everybody gives it, and
 * that says nothing about anybody's care.
 */
const leastProbability = 0.01;

/** Undefined with fewer than five answers. */
function mostPressed(presses: Presses, participant: string): MostPressed | undefined {
  const own = presses.get(participant) ?? new Map<string, number>();
  const answers = totalOf(own);
  if (answers < 5) return undefined;
  const [most, count] = [...own].reduce((best, one) => (one[1] > best[1] ? one : best));
  const others = [...presses]
    .filter(([one, counts]) => one !== participant && totalOf(counts) >= 5)
    .map(([, counts]) => (counts.get(most) ?? 0) / totalOf(counts))
    .sort((a, b) => a - b);
  // Of two the larger: in doubt nobody is excluded.
  const usual = others[Math.floor(others.length / 2)] ?? 1;
  return {
    share: count / answers,
    byChance: regularisedIncompleteBeta(usual, count, answers - count + 1),
  };
}

const totalOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

const median = (values: readonly number[]): number | null =>
  values.length === 0
    ? null
    : quantile(
        [...values].sort((a, b) => a - b),
        0.5,
      );

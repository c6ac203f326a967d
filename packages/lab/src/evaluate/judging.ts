import { withInterval } from "touchstone-t2i/internal/analysis/inference/intervals.js";
import { withBoundAfter } from "touchstone-t2i/internal/analysis/inference/one-sided-bound.js";
import type { ChatModel } from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { composePrompts } from "touchstone-t2i/internal/judges/compose-prompts.js";
import {
  firstShownBy,
  inBothOrders,
  judgePair,
  preferenceForA,
} from "touchstone-t2i/internal/judges/pairwise-judge.js";
import { type Prompt, wordingOf } from "touchstone-t2i/internal/judges/prompt.js";
import { loadPromptPool } from "touchstone-t2i/internal/judges/read-prompt-pool.js";
import { samplePrompts } from "touchstone-t2i/internal/judges/sample-prompts.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { bootstrapInterval } from "touchstone-t2i/internal/stats/percentile-interval.js";
import type { PreferencePair } from "./preference-pictures.js";
import { resamples } from "./question-answering.js";
import { answerOrNone } from "./share.js";
import { type Clock, type MedianTime, Stopwatch } from "./stopwatch.js";

/** A mean over askings, with those that the judge did not answer apart. */
export interface MeanOfAskings extends Estimate {
  readonly n: number;
  readonly pairs: number;
  readonly unscored: number;
}

/** How well a judge tells the better of two pictures, and how that hangs on what it is asked. */
export interface JudgingReport {
  readonly kind: "judge";
  /** How often the better picture was the likelier answer; one half where both were. */
  readonly right: {
    readonly overall: MeanOfAskings;
    readonly styles: Readonly<Record<string, MeanOfAskings>>;
    readonly subjects: Readonly<Record<string, MeanOfAskings>>;
    /** Results by wording: a prompt's name without its order. */
    readonly wordings: Readonly<Record<string, MeanOfAskings>>;
  };
  /** The mean probability of the answer that was given; above `right` it is too sure. */
  readonly confidence: MeanOfAskings;
  /** Mean P(the picture that was shown first) - 1/2. */
  readonly placeBias: MeanOfAskings;
  readonly milliseconds: { readonly image: MedianTime; readonly prompt: MedianTime };
}

interface Asking {
  readonly pair: number;
  readonly style: string;
  readonly subject: string;
  readonly wording: string;
  /** P(the better one is), and P(the one shown first is); undefined where there was no answer. */
  readonly better: number | undefined;
  readonly first: number | undefined;
}

/** The wordings that a judge is evaluated with, as many as the paper's larger pools have. */
const wordingsAsked = 20;

export interface JudgingOptions {
  readonly pairs: readonly PreferencePair[];
  readonly clock: Clock;
  /** Seed of the sample of wordings and of the intervals' resamples. */
  readonly seed: number;
  readonly wordings?: number;
  readonly onPair?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** Asks a judge about every pair by a sample of the pool's wordings, in both orders. */
export async function evaluateJudging(
  model: ChatModel,
  { pairs, clock, seed, wordings = wordingsAsked, onPair, signal }: JudgingOptions,
): Promise<JudgingReport> {
  const imageTime = new Stopwatch(clock);
  const promptTime = new Stopwatch(clock);
  const straight = composePrompts(loadPromptPool("pairwise").pool).filter(
    (prompt) => firstShownBy(prompt) === "a",
  );
  const prompts = inBothOrders(samplePrompts({ prompts: straight, count: wordings, seed }));
  const ask = (prompt: Prompt, { caption, a, b }: PreferencePair) =>
    answerOrNone(
      judgePair({ model, prompt, caption, a, b }, signal === undefined ? {} : { signal }),
    );
  const askings: Asking[] = [];
  const [anyPrompt] = prompts;
  const last = pairs.at(-1);
  // A model loads its weights when it is first asked.
  if (anyPrompt !== undefined && last !== undefined) await ask(anyPrompt, last);
  for (const [index, pair] of pairs.entries()) {
    signal?.throwIfAborted();
    await Promise.all([pair.a.pixels(), pair.b.pixels()]);
    for (const [turn, prompt] of prompts.entries()) {
      // The first to be asked is the one that looks at both pictures.
      const stopwatch = turn === 0 ? imageTime : promptTime;
      const answer = await stopwatch.time(() => ask(prompt, pair));
      const a = answer && preferenceForA(answer.probabilities);
      const of = (side: "a" | "b") => (a === undefined || side === "a" ? a : 1 - a);
      askings.push({
        pair: index,
        style: pair.style,
        subject: pair.subject,
        wording: wordingOf(prompt),
        better: of(pair.better),
        first: of(firstShownBy(prompt)),
      });
    }
    onPair?.(index + 1);
  }
  const right = ({ better }: Asking) =>
    better === undefined ? undefined : better === 0.5 ? 0.5 : Number(better > 0.5);
  const rightOf = (some: readonly Asking[]): MeanOfAskings => {
    const share = meanOf(some, right, seed);
    return { ...share, ...withBoundAfter(share, () => share.pairs) };
  };
  const by = (member: "style" | "subject" | "wording") =>
    Object.fromEntries(
      [...new Set(askings.map((one) => one[member]))].map((name) => [
        name,
        rightOf(askings.filter((one) => one[member] === name)),
      ]),
    );
  return {
    kind: "judge",
    right: {
      overall: rightOf(askings),
      styles: by("style"),
      subjects: by("subject"),
      wordings: by("wording"),
    },
    confidence: meanOf(askings, sureness, seed),
    placeBias: meanOf(
      askings,
      ({ first }) => (first === undefined ? undefined : first - 0.5),
      seed,
    ),
    milliseconds: { image: imageTime.median(), prompt: promptTime.median() },
  };
}

const sureness = ({ better }: Asking) =>
  better === undefined ? undefined : Math.max(better, 1 - better);

/** Intervals draw whole pairs: askings about one pair are right or wrong together. */
function meanOf(
  askings: readonly Asking[],
  value: (asking: Asking) => number | undefined,
  seed: number,
): MeanOfAskings {
  const byPair = new Map<number, { sum: number; count: number }>();
  for (const asking of askings) {
    const one = value(asking);
    if (one === undefined) continue;
    const { sum, count } = byPair.get(asking.pair) ?? { sum: 0, count: 0 };
    byPair.set(asking.pair, { sum: sum + one, count: count + 1 });
  }
  const units = [...byPair.values()];
  const mean = (some: Iterable<{ sum: number; count: number } | undefined>) => {
    let [sum, count] = [0, 0];
    for (const unit of some) {
      sum += unit?.sum ?? 0;
      count += unit?.count ?? 0;
    }
    return sum / count;
  };
  const n = units.reduce((total, { count }) => total + count, 0);
  const counts = { n, pairs: units.length, unscored: askings.length - n };
  if (n === 0) return { ...counts, value: null, low: null, high: null, reason: "there are none" };
  const interval = bootstrapInterval({
    units: units.length,
    statistic: (drawn) => mean(Array.from(drawn, (unit) => units[unit])),
    resamples,
    random: randomFrom(seed, "lab evaluate", "judging"),
  });
  return { ...counts, ...withInterval(mean(units), interval, { whenNone: "one pair has none" }) };
}

import { canonicalJson } from "../../core/json.js";
import { quantile } from "../../stats/quantile.js";
import type { Exclusion } from "../config/study-config.js";
import { mean } from "../protocols/by-item.js";
import { protocols } from "../protocols/protocols.js";
import type { Study } from "../study.js";
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
  /** Share of the answer given most often, over a block's items; the largest of all blocks. */
  readonly sameAnswerShare: number | null;
  /** The rules of the configuration that this participant breaks. */
  readonly excludedBy: readonly Exclusion["rule"][];
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
  return [...byParticipant].map(([participant, own]) => {
    const answered = own.filter(({ answer }) => answer !== null);
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
      sameAnswerShare: sameAnswerShare(study, answered),
    };
    const excludedBy = study.settings.exclude.filter((rule) => breaks(quality, rule));
    return { ...quality, excludedBy: excludedBy.map(({ rule }) => rule) };
  });
}

type Measures = Omit<ParticipantQuality, "excludedBy">;

/** Tells whether a measure breaks a rule; one that is undefined excludes nobody. */
function breaks(quality: Measures, { rule, value }: Exclusion): boolean {
  switch (rule) {
    case "gold-accuracy-below":
      return quality.goldAccuracy !== null && quality.goldAccuracy < value;
    case "repeat-agreement-below":
      return quality.repeatAgreement !== null && quality.repeatAgreement < value;
    case "median-seconds-below":
      return quality.medianSeconds !== null && quality.medianSeconds < value;
    case "same-answer-above":
      return quality.sameAnswerShare !== null && quality.sameAnswerShare > value;
  }
}

/** One word for an answer, the same for the same answer. */
function wordOf(study: Study, { block, answer }: KeptAnswer): string | null {
  const protocol = study.blocks.find(({ name }) => name === block)?.settings.protocol;
  const value =
    protocol === undefined || answer === null ? null : protocols[protocol].value(answer);
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

/** Share of equal answers; null with fewer than five. */
function sameAnswerShare(study: Study, answers: readonly KeptAnswer[]): number | null {
  const shares = study.blocks.flatMap(({ name }) => {
    const words = answers.flatMap((answer) =>
      answer.block === name && answer.kind === "item" ? (wordOf(study, answer) ?? []) : [],
    );
    if (words.length < 5) return [];
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return [Math.max(...counts.values()) / words.length];
  });
  return shares.length === 0 ? null : Math.max(...shares);
}

const median = (values: readonly number[]): number | null =>
  values.length === 0
    ? null
    : quantile(
        [...values].sort((a, b) => a - b),
        0.5,
      );

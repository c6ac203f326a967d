import { largestOf, smallestOf } from "../../core/arrays.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import type { AnswerTable } from "../protocols/protocol.js";
import { participantQuality } from "../quality/participant-quality.js";
import type { Study } from "../study.js";
import { collectedFrom, keptAnswers } from "./counted-answers.js";

/**
 * One row for everybody who came by an outside id, for whoever pays them: how far they came and how carefully
 * they answered. Neither pseudonym nor answer is in it, so that who pays learns not who said what; sorted by
 * outside id.
 */
export function payments(study: Study, state: StudyState): AnswerTable {
  const participants = collectedFrom(state, "served");
  const quality = new Map(
    participantQuality(study, keptAnswers(study, participants)).map((one) => [
      one.participant,
      one,
    ]),
  );
  const people = new Map<string, ParticipantState[]>();
  for (const one of participants) {
    people.set(one.person, [...(people.get(one.person) ?? []), one]);
  }
  return [...people]
    .flatMap(([person, sessions]) => {
      const outside = sessions.findLast((one) => one.outside !== undefined)?.outside;
      if (outside === undefined) return [];
      const own = quality.get(person);
      const begun = smallestOf(sessions.map(({ consentedAt }) => consentedAt));
      const seen = largestOf(sessions.map(({ seenAt }) => seenAt));
      return [
        {
          source: outside.source,
          id: outside.id,
          study: outside.study ?? null,
          session: outside.session ?? null,
          finished: sessions.some(({ isFinished }) => isFinished) ? 1 : 0,
          left: sessions.some(({ isWithdrawn }) => isWithdrawn) ? 1 : 0,
          minutes: Math.round((seen - begun) / 6_000) / 10,
          answers: own?.answers ?? 0,
          skipped: own?.skipped ?? 0,
          gold_accuracy: own?.goldAccuracy ?? null,
          repeat_agreement: own?.repeatAgreement ?? null,
          median_seconds: own?.medianSeconds ?? null,
          same_answer_share: own?.sameAnswerShare ?? null,
          excluded_by: own?.excludedBy.join(" ") || null,
        },
      ];
    })
    .sort((a, b) =>
      a.source === b.source ? (a.id < b.id ? -1 : 1) : a.source < b.source ? -1 : 1,
    );
}

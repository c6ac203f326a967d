import type { JsonObject } from "../../core/json.js";
import { disclosure } from "../config/disclosure.js";
import type { RemovalReason } from "../home/study-change.js";
import type { Study } from "../study.js";
import { type StudyEnd, StudyError } from "./study-error.js";

/** A code is shown; an address is gone to. */
export const endOf = (code: string | undefined): Pick<StudyEnd, "code" | "redirect"> =>
  code === undefined ? {} : /^https?:\/\//.test(code) ? { redirect: code } : { code };

/** What everybody reads at their end, whatever it is: the debrief, and what was withheld until then. */
function farewell({ settings, debrief }: Study): Pick<StudyEnd, "debrief" | "generated"> {
  const isWithheld = settings.disclose === "at-end";
  return {
    debrief: debrief?.text ?? (isWithheld ? disclosure[settings.language] : null),
    generated: isWithheld,
  };
}

/**
 * The end of somebody whose answers are kept: they may erase them until the retention date.
 *
 * @param options.now milliseconds since 1970
 */
export const endWithAnswers = (
  study: Study,
  { code, now }: { readonly code: string | undefined; readonly now: number },
): StudyEnd => {
  const { retention } = study.settings;
  const today = new Date(now).toISOString().slice(0, 10);
  return {
    ...endOf(code),
    ...farewell(study),
    canErase: retention === undefined || today <= retention,
  };
};

/** Answers that what was sent was taken and does not let in; whatever is asked next is refused with the reason. */
export const turnedAway = (reason: TurnedAway, study: Study): JsonObject => ({
  accepted: false,
  reason,
  ...removalEnd(reason, study),
});

export type TurnedAway = "screened-out" | "quota-full";

export const isTurnedAway = (reason: RemovalReason | undefined): reason is TurnedAway =>
  reason === "screened-out" || reason === "quota-full";

/** Tells somebody of whom nothing is kept why, and where they go from there. */
export const removalError = (reason: RemovalReason, study: Study): StudyError =>
  new StudyError(
    403,
    reason === "erased" ? "withdrawn" : reason,
    endTexts[study.settings.language][reason],
    removalEnd(reason, study),
  );

/** Who declined was shown nothing that a debrief is about. */
function removalEnd(reason: RemovalReason, study: Study): Omit<StudyEnd, "canErase"> {
  const { codes } = study.settings;
  switch (reason) {
    case "declined":
      return endOf(codes.declined);
    case "screened-out":
      return { ...endOf(codes.screenedOut), ...farewell(study) };
    case "quota-full":
      return { ...endOf(codes.full), ...farewell(study) };
    case "erased":
      return { ...endOf(codes.left), ...farewell(study) };
  }
}

const endTexts: Readonly<
  Record<Study["settings"]["language"], Readonly<Record<RemovalReason | "failed", string>>>
> = {
  en: {
    declined: "You declined to take part. Nothing was kept.",
    "screened-out": "Thank you. This study looks for other participants; no answer was kept.",
    "quota-full": "Thank you. This study has enough participants; no answer was kept.",
    erased: "You have left this study.",
    failed:
      "Thank you. Several of your answers were not those that are known to be right, so the study ends here.",
  },
  de: {
    declined: "Sie haben nicht zugestimmt. Es wurde nichts gespeichert.",
    "screened-out":
      "Vielen Dank. Diese Studie sucht andere Teilnehmende; keine Antwort wurde gespeichert.",
    "quota-full":
      "Vielen Dank. Diese Studie hat genug Teilnehmende; keine Antwort wurde gespeichert.",
    erased: "Sie haben diese Studie verlassen.",
    failed:
      "Vielen Dank. Mehrere Ihrer Antworten waren nicht die, von denen bekannt ist, dass sie stimmen; daher endet die Studie hier.",
  },
};

/** Tells somebody whose session ended by its gold items that it did; their answers are kept. */
export const failedError = (study: Study, now: number): StudyError =>
  new StudyError(
    403,
    "gold-check",
    endTexts[study.settings.language].failed,
    endWithAnswers(study, { code: study.settings.codes.failed, now }),
  );

/** Tells somebody who left that they did; their answers are kept. */
export const leftError = (study: Study, now: number): StudyError =>
  new StudyError(
    403,
    "withdrawn",
    endTexts[study.settings.language].erased,
    endWithAnswers(study, { code: study.settings.codes.left, now }),
  );

/** Every end of a study by its name, for who looks at them in a preview; `message` where it is refused with one. */
export function endsOf(study: Study): JsonObject {
  const { finished, left, failed } = study.settings.codes;
  const texts = endTexts[study.settings.language];
  const kept = (code: string | undefined) => ({ ...endWithAnswers(study, { code, now: 0 }) });
  const refused = (reason: RemovalReason) => ({
    ...removalEnd(reason, study),
    message: texts[reason],
  });
  return {
    finished: kept(finished),
    left: kept(left),
    failed: { ...kept(failed), message: texts.failed },
    screenedOut: refused("screened-out"),
    full: refused("quota-full"),
    declined: { ...removalEnd("declined", study) },
  };
}

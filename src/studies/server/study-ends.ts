import type { JsonObject } from "../../core/json.js";
import type { StudySettings } from "../config/study-config.js";
import type { RemovalReason } from "../home/study-change.js";
import { type StudyEnd, StudyError } from "./study-error.js";

/** A code is shown; an address is gone to. */
export const endOf = (code: string | undefined): StudyEnd =>
  code === undefined ? {} : /^https?:\/\//.test(code) ? { redirect: code } : { code };

/** Answers that what was sent was taken and does not let in; whatever is asked next is refused with the reason. */
export const turnedAway = (
  reason: "screened-out" | "quota-full",
  { codes }: StudySettings,
): JsonObject => ({
  accepted: false,
  reason,
  ...endOf(reason === "quota-full" ? codes.full : codes.screenedOut),
});

/** Tells somebody of whom nothing is kept why, and where they go from there. */
export function removalError(reason: RemovalReason, { codes }: StudySettings): StudyError {
  const end = {
    declined: codes.declined,
    "screened-out": codes.screenedOut,
    "quota-full": codes.full,
    erased: undefined,
  }[reason];
  const code = reason === "erased" ? "withdrawn" : reason;
  return new StudyError(403, code, removalTexts[reason], endOf(end));
}

const removalTexts: Readonly<Record<RemovalReason, string>> = {
  declined: "You declined to take part. Nothing was kept.",
  "screened-out": "Thank you. This study looks for other participants; nothing was kept.",
  "quota-full": "Thank you. This study has enough participants; nothing was kept.",
  erased: "You have left this study.",
};

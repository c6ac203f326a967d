import type { StudyStatus } from "../../studies/study-status.js";

/** A study as its page shows it: status as `study status` has it, and where people open it. */
export interface StudyDetail {
  readonly id: string;
  /** Its folder, as commands name it where the studio was started. */
  readonly path: string;
  readonly status: StudyStatus;
  /** Where participants open it now; null where nobody serves it. */
  readonly url: string | null;
}

/** New invitations, a link for one person each. */
export interface StudyInvitations {
  readonly links: readonly string[];
}

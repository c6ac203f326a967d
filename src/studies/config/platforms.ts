/** A platform that hands over who comes by names in the address of the participants' page. */
export interface Platform {
  /** What an outside id is said to be of. */
  readonly source: string;
  /** The name of the outside id. */
  readonly id: string;
  /** The name of the platform's id of the study. */
  readonly study?: string;
  /** The name of the platform's id of this part in it. */
  readonly session?: string;
}

export const platforms: readonly Platform[] = [
  { source: "prolific", id: "PROLIFIC_PID", study: "STUDY_ID", session: "SESSION_ID" },
  { source: "mturk", id: "workerId", study: "hitId", session: "assignmentId" },
  { source: "toloka", id: "worker_id", session: "assignment_id" },
  { source: "participant", id: "participant" },
];

/** MTurk's assignmentId while somebody looks at a task that they have not accepted. */
export const notAssigned = "ASSIGNMENT_ID_NOT_AVAILABLE";

/** Tells if an id is a name in braces that the platform was to replace, such as {{%PROLIFIC_PID%}}. */
export const isUnreplaced = (id: string): boolean => /^\$?\{.*\}$/s.test(id.trim());
